Revision history for Foo::Bar, with __DATA__

{{$NEXT}}
  - Not yet out

1.02      2026-01-02 03:04:05+01:00 Europe/London (TRIAL RELEASE)
 [Bug Fixes]
 - Fix `foo` and __PACKAGE__ (see https://example.com/?a=1&b=_2_),
   for *all* of them
     * one case
     * another

 [Documentation]
 o Explain <STDIN>

1.01_03 2025-12-31 jane
Unindented words.

1.00   Sun Feb 27 16:50:11 CET 2000
	- original version; created by h2xs 1.19
	# not a heading

0.02	Trial with another name
0.01
