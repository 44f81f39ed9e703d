1.1 2026-01-02
- needs perl
5.10 or later, or
5.9 Patched

5.8 was enough before
