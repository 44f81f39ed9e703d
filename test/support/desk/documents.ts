/** HTML as other programs put it on the clipboard, and the Markdown that it means. */
export const DOCUMENTS: Readonly<Record<string, readonly [html: string, markdown: string]>> = {
  'Google Docs': [
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f2e"><h1 dir="ltr" style="line-height:1.38;"><span style="font-size:20pt;font-family:Arial,sans-serif;font-weight:400;">Guests</span></h1><p dir="ltr"><span style="font-weight:400;">Invite </span><span style="font-weight:700;">people</span><span style="font-weight:400;font-style:normal;"> from </span><span style="font-style:italic;">outside</span><span> to </span><a href="https://www.google.com/url?q=https://example.com/boards&amp;sa=D" style="text-decoration:none;"><span style="color:#1155cc;">a board</span></a><span>.</span></p><br><ul style="margin-top:0;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li dir="ltr" aria-level="2"><p role="presentation"><span>Below</span></p></li></ul><li aria-level="1"><p role="presentation"><span>Two</span></p></li></ul><h2 dir="ltr"><span>Usage</span></h2><p dir="ltr"><span style="font-family:'Courier New',monospace;">bun install</span></p><p dir="ltr"><span style="font-family:'Courier New',monospace;">bun run start</span></p></b>`,
    '## Guests\n\nInvite **people** from _outside_ to [a board](https://example.com/boards).\n\n- One\n  - Below\n- Two\n\n### Usage\n\n```\nbun install\nbun run start\n```',
  ],
  'Google Docs table': [
    `<b style="font-weight:normal;" id="docs-internal-guid-2"><div dir="ltr"><table style="border:none;"><colgroup><col width="301"/><col width="301"/></colgroup><tbody><tr><td><p><span style="font-weight:700;">Plan</span></p></td><td><p><span style="font-weight:700;">Seats</span></p></td></tr><tr><td><p><span>Free | small</span></p></td><td><p><span>5</span></p></td></tr><tr><td><p><span>Paid</span></p></td><td><br></td></tr></tbody></table></div></b>`,
    '| **Plan** | **Seats** |\n| --- | --- |\n| Free \\| small | 5 |\n| Paid |  |',
  ],
  Word: [
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style></head><body lang=EN-US><!--StartFragment--><h1>Release<o:p></o:p></h1><p class=MsoNormal>Faster <b>boards</b> and <i>search</i>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>First<o:p></o:p></p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp; </span></span><![endif]>Deeper</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;</span></span><![endif]>Second</p><p class=MsoNormal>Then:</p><p class=MsoListParagraphCxSpFirst style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span><![endif]>Open</p><p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span>Share with <a href="https://example.com/x_(1)">them</a></p><!--EndFragment--></body></html>`,
    '## Release\n\nFaster **boards** and _search_.\n\n- First\n  - Deeper\n- Second\n\nThen:\n\n1. Open\n2. Share with [them](https://example.com/x_\\(1\\))',
  ],
  'Word table and code': [
    `<body><table class=MsoTableGrid border=1><tr><td width=300><p class=MsoNormal>Key<o:p></o:p></p></td><td><p class=MsoNormal>Value</p></td></tr><tr><td><p class=MsoNormal><span style='font-family:Consolas'>PORT</span></p></td><td><p class=MsoNormal>3000</p></td></tr></table><h2>Next</h2><p class=MsoNormal><s>Old</s> <span style='text-decoration:line-through'>words</span></p></body>`,
    '| Key | Value |\n| --- | --- |\n| `PORT` | 3000 |\n\n## Next\n\n~~Old~~ ~~words~~',
  ],
  Notion: [
    `<meta charset='utf-8'><!-- notionvc: 3f0 --><h2>Improvements</h2><ul><li>Boards open <strong>twice</strong> as fast</li><li>With <code>Ctrl+K</code><ol><li>Press it</li><li>Search</li></ol></li></ul><pre><code class="language-typescript">const a = 1
if (a &lt; 2) {}</code></pre><ul class="to-do-list"><li><input type="checkbox" checked disabled>Done</li><li><input type="checkbox" disabled>Open</li></ul><blockquote>Thanks<br>all</blockquote>`,
    '## Improvements\n\n- Boards open **twice** as fast\n- With `Ctrl+K`\n  1. Press it\n  2. Search\n\n```typescript\nconst a = 1\nif (a < 2) {}\n```\n\n- [x] Done\n- [ ] Open\n\n> Thanks  \n> all',
  ],
  'Notion table': [
    `<!-- notionvc: 1 --><table><thead><tr><th>Name</th><th>For</th></tr></thead><tbody><tr><td><strong>Guests</strong></td><td>Boards<br>and teams</td></tr></tbody></table><p><a href="https://example.com">Docs</a> and <em>more</em></p><details><summary>Why</summary><p>Because</p></details>`,
    '| Name | For |\n| --- | --- |\n| **Guests** | Boards and teams |\n\n[Docs](https://example.com/) and _more_\n\nWhy\n\nBecause',
  ],
  Confluence: [
    `<h1 id="Notes-1">Rollout</h1><p class="auto-cursor-target">See <a class="external-link" href="https://example.com/plan" rel="nofollow">the plan</a>.</p><div class="table-wrap"><table class="confluenceTable wrapped"><colgroup><col/></colgroup><tbody><tr><th class="confluenceTh"><p>Step</p></th><th class="confluenceTh"><p>Who</p></th></tr><tr><td class="confluenceTd"><p>Test</p></td><td class="confluenceTd"><p><strong>Ana</strong></p></td></tr></tbody></table></div><div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">make test
make ship</pre></div></div><h2>After</h2><ol><li><p>Watch</p></li><li><p>Write</p></li></ol>`,
    '## Rollout\n\nSee [the plan](https://example.com/plan).\n\n| Step | Who |\n| --- | --- |\n| Test | **Ana** |\n\n```bash\nmake test\nmake ship\n```\n\n### After\n\n1. Watch\n2. Write',
  ],
  Gmail: [
    `<div dir="ltr"><div>Hi,</div><div><br></div><div>the <b>export</b> is <a href="https://example.com/e" target="_blank">done</a>:</div><div><ul><li style="margin-left:15px">CSV</li><li>JSON &amp; XML</li></ul></div><div>Costs: a &lt;b&gt; c, 2 * 3 * 4</div><img width="1" height="1" src="https://track.example.com/o.gif"></div>`,
    'Hi,\n\nthe **export** is [done](https://example.com/e):\n\n- CSV\n- JSON & XML\n\nCosts: a \\<b> c, 2 \\* 3 \\* 4',
  ],
  Outlook: [
    `<div class="WordSection1"><table role="presentation" width="600"><tr><td><p class="MsoNormal"><span style="font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif">Dear all,<o:p></o:p></span></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal"><b><span>Exports</span></b> end <span style="font-weight:bold">today</span>.</p></td></tr></table><h3>Why</h3><ol style="margin-top:0" start="3" type="1"><li class="MsoNormal">Costs</li></ol></div>`,
    'Dear all,\n\n**Exports** end **today**.\n\n## Why\n\n3. Costs',
  ],
  'a web page': [
    `<article><h3>Fixed</h3><p>A <kbd>Ctrl</kbd> crash in <code>a\`b</code>, see <a href="/relative">here</a>.</p><hr><p>End<img alt="The board" src="https://example.com/b.png"></p><pre class="lang-sh">ls<br>cd</pre></article>`,
    '## Fixed\n\nA Ctrl crash in ``a`b``, see here.\n\n---\n\nEnd![The board](https://example.com/b.png)\n\n```sh\nls\ncd\n```',
  ],
}
