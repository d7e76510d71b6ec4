import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { bloomNow } from "../bloom.ts";
import { type WebGround, webGround } from "./ground.ts";

const EVIL = "document.title='broken'";

/** Attacks by a note, by kind. None may run, load, submit or restyle anything. */
const HOSTILE: Readonly<Record<string, string>> = {
  scripts: `<script>${EVIL}</script><script src="https://elsewhere.example/s.js"></script><noscript><p title="</noscript><img src=x onerror=${EVIL}>">`,
  handlers: `<img src=x onerror="${EVIL}"> <b onmouseover="${EVIL}">hover</b> <details ontoggle="${EVIL}" open>x</details> <a href="https://elsewhere.example/" onclick="${EVIL}">one</a>`,
  addresses: `<a href="javascript:${EVIL}">one</a> [two](javascript:${EVIL}) [three](<java\tscript:${EVIL}>) [four](vbscript:x) [five](data:text/html,<script>${EVIL}</script>) <a href=" &#106;avascript:${EVIL}">six</a>`,
  frames:
    '<iframe src="https://elsewhere.example/frame" srcdoc="<script>parent.document.title=1</script>"></iframe><object data="https://elsewhere.example/o"></object><embed src="https://elsewhere.example/e"><portal src="https://elsewhere.example/p"></portal>',
  pictures:
    '![picture](https://elsewhere.example/beacon.png) <img srcset="https://elsewhere.example/b.png 1x" alt="alt words"> ![x](data:image/svg+xml;base64,PHN2Zy8+) <picture><source srcset="https://elsewhere.example/p"></picture><video src="https://elsewhere.example/v" poster="https://elsewhere.example/w"></video><audio src="https://elsewhere.example/a"></audio>',
  styles:
    '<style>body { display: none }</style><p style="background: url(https://elsewhere.example/c)">styled</p><link rel="stylesheet" href="https://elsewhere.example/l.css"><table background="https://elsewhere.example/t"><tr><td>t</td></tr></table>',
  forms:
    '<form action="https://elsewhere.example/steal"><input name="q"><button>Approve</button><textarea>t</textarea><select><option>o</option></select></form><dialog open>Approve</dialog><button popovertarget="x">b</button>',
  svg: `<svg><script>${EVIL}</script><a xlink:href="javascript:${EVIL}"><text>t</text></a><animate onbegin="${EVIL}" /><use href="data:image/svg+xml,x"/></svg><math><mi xlink:href="javascript:${EVIL}">m</mi></math><math><mtext><table><mglyph><style><img src=x onerror=${EVIL}>`,
  page: '<base href="https://elsewhere.example/"><meta http-equiv="refresh" content="0;url=https://elsewhere.example/"><title>broken</title><body id="app" class="shell" onload="x">',
  clobbering: `<img id="main" name="body"><a id="app"></a><form id="cookie"></form><p class="button primary" data-source="x" id="mention-1">words</p>`,
  obsidian: `[[<img src=x onerror=${EVIL}>|<b onmouseover=${EVIL}>wiki</b>]] ![[x" onerror="${EVIL}]] #tag"onclick=x ==<script>${EVIL}</script>== ^[<img src=x onerror=${EVIL}>]\n\n> [!tip"><img src=x onerror=${EVIL}>] Title <script>${EVIL}</script>\n> x`,
  formulas: `$\\href{javascript:${EVIL}}{click}$ $\\htmlData{x=y}{a}$ $\\includegraphics{https://elsewhere.example/k.png}$ $\\url{javascript:x}$ $\\def\\a{\\a\\a}\\a$`,
  mermaid: `\`\`\`mermaid\n%%{init: {"securityLevel": "loose", "themeCSS": "* { background: url(https://elsewhere.example/m) }"}}%%\ngraph TD\n  A["<img src=x onerror=${EVIL}>"] --> B\n  click A "javascript:${EVIL}"\n  click B call alert()\n\`\`\``,
  places:
    '<a href="[$x\\href{javascript:1}{a}">f</a> <a href="[~graph TD">m</a> <a href="[#t">t</a> <a href="[^1">n</a> <a href="[x]">d</a>',
};

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround((dir) => {
    mkdirSync(join(dir, "notes/hostile"), { recursive: true });
    git(dir, "init", "-q", "-b", "main");
    for (const [name, text] of Object.entries(HOSTILE))
      writeFileSync(join(dir, `notes/hostile/${name}.md`), `${text}\n\nThe end.\n`);
    if (bloomNow(dir, ["init", "--lang", "en"]).exit !== 0) throw new Error("no garden");
    git(dir, "add", "-A");
    git(dir, "commit", "-qm", "Notes");
  });
});
afterAll(() => ground.stop());

test.each(Object.keys(HOSTILE))("A-2 a hostile note does nothing: %s", async (name) => {
  const { page, context } = await ground.open();
  const asked = new Set<string>();
  // A request that the content security policy stops is never sent.
  const sent = (request: Request): void => {
    if (!/^(?:blob|data):/.test(request.url())) asked.add(new URL(request.url()).host);
  };
  page.on("requestfinished", sent);
  page.on("requestfailed", (request) => request.failure()?.errorText !== "csp" && sent(request));
  await page.goto(`${ground.url.replace(/\/$/, "")}/app/notes/notes/hostile/${name}.md`);
  const prose = page.locator(".prose");
  await prose.getByText("The end.").waitFor();
  if (name === "mermaid") await prose.locator(".drawing[data-drawn]").waitFor();
  await prose.evaluate((shown) => {
    for (const each of shown.querySelectorAll(".text *")) {
      each.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      // Links to pages of the app and to other hosts may be followed.
      if (!/^(?:\/app\/|https?:)/.test(each.getAttribute("href") ?? ""))
        each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  });
  const found = {
    isBroken: (await page.title()).includes("broken"),
    at: new URL(page.url()).host,
    elements: await prose
      .locator(
        "script, style, iframe, object, embed, form, input, button, select, textarea, dialog, base, meta, link, video[src], audio[src]",
      )
      .count(),
    attributes: await prose
      .locator(
        "[onclick], [onerror], [onmouseover], [ontoggle], [onbegin], [href^='javascript' i], [href^='data:' i], [href^='vbscript' i], [srcset], [background], [name]",
      )
      .count(),
    pictures: await prose.locator("img:not([src^='blob:'])").count(),
    isShown: await page.getByRole("navigation").first().isVisible(),
    asked: [...asked],
  };
  await context.close();
  const host = new URL(ground.url).host;
  expect(found).toEqual({
    isBroken: false,
    at: host,
    elements: 0,
    attributes: 0,
    pictures: 0,
    isShown: true,
    asked: [host],
  });
});
