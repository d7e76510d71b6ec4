/** The style of a story as a file: the colours and faces of the app, without its fonts. */
export const STORY_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#faf8f3,#151419);--surface:light-dark(#fffefb,#1c1b21);--line:light-dark(#e6e1d5,#2c2a33);--ink:light-dark(#23221e,#ebe8ef);--ink-3:light-dark(#6b675b,#958fa1);--iris:light-dark(#6a3b97,#c5a5f2);--iris-wash:light-dark(#f2ebf8,#2a2138);--leaf:light-dark(#276339,#8fcf9c);--pollen:light-dark(#7d5000,#e5b65c);--berry:light-dark(#a32a38,#f2929a);--add:light-dark(#cfe8cd,#2a4f35);--del:light-dark(#f6d3d0,#5a2b32)}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
main{max-width:720px;margin:0 auto;padding:32px 20px 64px}
p{margin:0 0 4px;overflow-wrap:anywhere}.label,.meta,footer{color:var(--ink-3);font-size:12px}
.line{display:grid;grid-template-columns:40px 1fr;gap:14px;font:15px/1.5 Georgia,serif;color:var(--ink-3)}.no{font:12px/1.9 monospace;text-align:end}
.line.on{background:var(--iris-wash);color:var(--ink);font-size:21px;padding:9px 0;border-inline-start:3px solid var(--iris)}.line.on .no{color:var(--iris)}
.verdict{font:17px/1.45 Georgia,serif;padding:16px 0}.verdict.verified b{color:var(--leaf)}.verdict.unchecked b{color:var(--pollen)}.verdict.mismatch{color:var(--berry)}
.links,.checks{list-style:none;margin:0;padding:0}.links>li{border-inline-start:2px solid var(--leaf);padding:0 0 18px 18px;margin-inline-start:8px}
.links>li.unchecked{border-inline-start:2px dashed var(--pollen)}.links>li.kept{border-color:var(--ink-3)}.links>li.mismatch{border-color:var(--berry)}
.head{display:flex;gap:12px;justify-content:space-between}.mark{font-size:12px;white-space:nowrap;color:var(--leaf)}.unchecked .mark{color:var(--pollen)}.kept .mark{color:var(--ink-3)}.mismatch .mark{color:var(--berry)}
.words,pre{font:15px/1.55 Georgia,serif}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:8px 12px;margin:4px 0}
pre *{display:block}ins{background:var(--add);text-decoration:underline}del{background:var(--del)}
.checks{color:var(--ink-3);font-size:12px}.checks li::before{content:"✓ "}.checks .unchecked::before{content:"○ "}.checks .kept::before{content:"≠ "}.checks .mismatch{color:var(--berry)}.checks .mismatch::before{content:"✗ "}
figure{margin:24px 0;background:#fffefb;border:1px solid var(--line);border-radius:10px;padding:16px;overflow:auto}figure svg{max-width:100%;height:auto}figcaption{color:#6b675b;font-size:12px;margin-top:8px}
footer{border-top:1px solid var(--line);padding-top:12px;margin-top:24px}
`;
