import { expect, test } from "vitest";
import { readProcessSettings, statePlace } from "./config.ts";

test.each([
  [{ LANG: "uk_UA.UTF-8" }, { language: undefined, systemLanguage: "uk" }],
  [{ LANG: "en_GB.UTF-8", LC_ALL: "uk_UA" }, { systemLanguage: "uk" }],
  [{ LANG: "C" }, { systemLanguage: undefined }],
  [{ BLOOM_LANG: "en" }, { language: "en" }],
  [{ BLOOM_LANG: "xx" }, { language: undefined }],
  [
    { PORT: " 80 ", BLOOM_HOST: "" },
    { port: "80", host: undefined },
  ],
  [{ BLOOM_ALLOWED_HOSTS: "A.example, b.example," }, { allowedHosts: ["a.example", "b.example"] }],
  [
    { BLOOM_DEBUG: "1", NO_COLOR: "yes" },
    { debug: true, plain: true },
  ],
  [{ BLOOM_DEBUG: "0" }, { debug: false, plain: false }],
])("%j is read as %j", (environment: Record<string, string>, expected) => {
  expect(readProcessSettings(environment)).toMatchObject(expected);
});

test.each([
  [{ XDG_STATE_HOME: "/s", HOME: "/garden/ann" }, "linux", { dir: "/s/garden-bloom" }],
  [
    { XDG_STATE_HOME: "s", HOME: "/garden/ann" },
    "linux",
    { dir: "/garden/ann/.local/state/garden-bloom", home: "/garden/ann" },
  ],
  [
    { HOME: "/garden/ann" },
    "darwin",
    { dir: "/garden/ann/Library/Application Support/garden-bloom", home: "/garden/ann" },
  ],
  [{ HOME: "" }, "linux", undefined],
] as const)("the state folder of %j on %s is %j", (environment, platform, expected) => {
  expect(statePlace(environment, platform)).toEqual(expected);
});
