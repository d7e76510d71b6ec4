/**
 * `npm run tour`: draws `docs/tour.svg`, half a minute through the app on a demo garden. An SVG with the pictures in it: no player, no
 * encoder, and it moves wherever an image is shown. Who prefers no motion sees the first picture.
 */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say } from "./setup.js";
import { show, withPictures } from "./web-garden.js";

const SECONDS = 3;
const [WIDTH, HEIGHT, CAPTION] = [1280, 800, 56];

/** The pages of the tour, each with a sentence. */
const SCENES = [
  ["/", "Today: what needs you, what runs, what happened."],
  ["/new-agent", "A new agent is a template, a drawing or pseudocode. It begins as a draft."],
  ["/agents/librarian/diagram", "Its logic is a diagram. You can read it, change it and compare versions."],
  ["/runs/{run}", "A run is durable and replayable: each step with its output, its time and its cost."],
  ["/runs/{held}", "Where sources disagree, it stops and asks you."],
  ["/proposals/{proposal}", "Whatever it wants to change is a proposal. Nothing changes before you decide."],
  ["/agents/gardener/logic", "Every change of its logic is a version, with evidence, that can be taken back."],
  ["/why?subject={commit}", "Every line has a reason: the wish, the run, the decision, the commit."],
  ["/notes/notes/garden/compost.md", "And the notes stay what they are: your files, in git."],
  ["/settings", "Models, keys, rules, backups: all of it in the browser, each change a commit."],
];

await runScript(() =>
  withPictures(async (ground, found) => {
    const { page, context } = await ground.open({ width: WIDTH, height: HEIGHT });
    const frames = [];
    for (const [path, sentence] of SCENES) {
      await show(page, ground, path, found);
      const picture = await page.screenshot({ type: "jpeg", quality: 62 });
      frames.push({ picture: picture.toString("base64"), sentence });
    }
    await context.close();
    const file = join(root, "docs/tour.svg");
    writeFileSync(file, movie(frames));
    const kilobytes = Math.round(statSync(file).size / 1000);
    say(`${frames.length} pictures, ${frames.length * SECONDS} s, ${kilobytes} kB: ${file}`);
  }),
);

/** One group per frame; each is opaque for its share of the time. */
function movie(frames) {
  const total = frames.length * SECONDS;
  const share = 100 / frames.length;
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const groups = frames.map(
    ({ picture, sentence }, index) => `<g class="frame" style="animation-delay:${index * SECONDS - total}s">
<image width="${WIDTH}" height="${HEIGHT}" href="data:image/jpeg;base64,${picture}"/>
<text x="24" y="${HEIGHT + 36}">${escaped(sentence)}</text>
<rect class="bar" y="${HEIGHT}" width="${((index + 1) * WIDTH) / frames.length}" height="3"/></g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + CAPTION}" role="img" aria-label="A tour of Garden Bloom">
<style>
.frame { animation: show ${total}s infinite step-end; opacity: 0 }
.frame:first-of-type { opacity: 1 }
@keyframes show { 0% { opacity: 1 } ${share.toFixed(3)}% { opacity: 0 } 100% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .frame { animation: none } }
text { fill: #ebe8ef; font: 500 22px Georgia, serif }
.bar { fill: #c5a5f2 }
</style>
<rect width="100%" height="100%" fill="#151419"/>
${groups.join("\n")}
</svg>
`;
}
