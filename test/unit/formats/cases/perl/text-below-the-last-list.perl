1.1 2026-01-02
 - One

Thanks to all.

1.0 2026-01-01
 - Two

# vim: set et:
