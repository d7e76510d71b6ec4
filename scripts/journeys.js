/** `npm run journeys`: set-up, the web app, and all browser tests on a real garden. */
import { ensureChromium, NotReady, runScript, setUp } from "./setup.js";
import { conclude, runVitest } from "./vitest.js";
import { buildWeb } from "./web.js";

await runScript(async () => {
  const node = await setUp();
  const chromium = ensureChromium();
  if (!chromium.path) throw new NotReady(chromium.missing);
  if ((await buildWeb()) !== 0) return 1;
  const wanted = process.argv.slice(2);
  const variables = {
    BLOOM_CHROMIUM: chromium.path,
    BLOOM_JOURNEYS: "1",
    // `npm run journeys -- screens --accept` keeps the pictures as they are now
    ...(wanted.includes("--accept") && { BLOOM_ACCEPT_SCREENS: "1" }),
  };
  const chosen = wanted.filter((each) => each !== "--accept"); // `npm run journeys -- many` runs one file
  return conclude(await runVitest(node, chosen.length > 0 ? chosen : ["test/web"], variables));
});
