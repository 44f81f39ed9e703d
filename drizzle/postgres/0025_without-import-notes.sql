-- Programs of 0.4.0 may still write the table beside this one, so it stays, empty.
DELETE FROM "import_note";
