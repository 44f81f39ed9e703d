✂ no date
1.2 2026-02-30
 - One

1.1 2026-01-02
 - Two
✂ no date
1.2 unknown
 - One

1.1 2026-01-02
 - Two
✂ no date
1.2 Unknown Release Date
 - One

1.1 2026-01-02
 - Two
✂ no date
1.2 developer release
 - One

1.1 2026-01-02
 - Two
✂ weekdays
0.09  dom jul 10 13:25:46 VET 2011
  - x

0.08  Thr July 01 2010 -Yay!
  - y
✂ in brackets
Revision history for X

0.3 2006-11-01
  - x

0.22 - or the "about time" release [2006-09-01]
  - y

0.16  []
  - z
