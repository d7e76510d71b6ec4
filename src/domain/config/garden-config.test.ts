import { describe, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { problemText } from "../text/checked-yaml.ts";
import { expectConfig } from "./failures.ts";
import { MAX_CONFIG_BYTES, readGardenConfig } from "./garden-config.ts";
import { firstGardenConfig, withGardenValue } from "./garden-config-text.ts";

const read = (text: string) => readGardenConfig(Buffer.from(text));
const told = (text: string, language: "en" | "uk" = "en"): string[] => {
  const reading = read(text);
  return reading.kind === "problems"
    ? reading.problems.map((problem) => problemText("garden.yaml", problem)[language])
    : [reading.kind];
};
const base = "version: 2\nname: Rose\n";

describe("G-7 garden.yaml", () => {
  test.each([
    [
      "an unknown key with a suggestion",
      `${base}langauge: uk\n`,
      ['garden.yaml:3 langauge: unknown key; did you mean "language"?'],
    ],
    [
      "an unknown nested key",
      `${base}schedule:\n  timezon: UTC\n`,
      ['garden.yaml:4 schedule.timezon: unknown key; did you mean "timezone"?'],
    ],
    [
      "an unknown key that resembles nothing",
      `${base}retention: {qqqq: 1}\n`,
      [
        "garden.yaml:3 retention.qqqq: unknown key; expected one of backups, reports_days, merged_sessions_days, idle_sessions_days",
      ],
    ],
    [
      "a missing name",
      "version: 2\n",
      ["garden.yaml:1 name: missing; expected one line of text, up to 200 characters"],
    ],
    ["a wrong language", `${base}language: fr\n`, ['garden.yaml:3 language: found "fr"; expected uk or en']],
    ["a list for a group", `${base}limits: [1]\n`, ["garden.yaml:3 limits: found a list; expected a group of keys"]],
    [
      "a number that is not positive",
      `${base}limits:\n  body_bytes: -1\n`,
      ["garden.yaml:4 limits.body_bytes: found -1; expected a whole number above zero"],
    ],
    [
      "a store of unknown kind",
      `${base}store: {kind: floppy}\n`,
      [
        'garden.yaml:3 store.kind: found "floppy"; expected a group with `kind: directory`, or with `kind: s3`, `endpoint` and `bucket`',
      ],
    ],
    [
      "a store that is a word",
      `${base}store: s3\n`,
      [
        'garden.yaml:3 store: found "s3"; expected a group with `kind: directory`, or with `kind: s3`, `endpoint` and `bucket`',
      ],
    ],
    [
      "an address of workers that nobody calls",
      `${base}engine:\n  kind: inngest\n  url: http://inngest:8288\n  mode: connect\n  worker_url: http://workers:8787\n`,
      [
        'garden.yaml:7 engine.worker_url: found "http://workers:8787"; expected no address: with `mode: connect` the workers connect to the server',
      ],
    ],
    [
      "an address without a scheme, of a bucket",
      `${base}store: { kind: s3, endpoint: "127.0.0.1:9000", bucket: garden }\n`,
      [
        'garden.yaml:3 store.endpoint: found "127.0.0.1:9000"; expected the address of an S3 server such as https://s3.example.com, without a name, password or query',
      ],
    ],
    [
      "an address without a scheme, of an engine",
      `${base}engine: { kind: inngest, url: "127.0.0.1:8288" }\n`,
      ['garden.yaml:3 engine.url: found "127.0.0.1:8288"; expected an address that begins with http:// or https://'],
    ],
    [
      "a password in the address of a repository, which is not repeated",
      `${base}repo: { remote: "https://me:secret@example.org/x.git" }\n`,
      [
        'garden.yaml:3 repo.remote: found "https://***@example.org/x.git"; expected an address without a password: this file is committed. Let git\'s credential helper or an ssh key hold it',
      ],
    ],
    [
      "an engine that this version does not have",
      `${base}engine:\n  kind: temporal\n`,
      [
        'garden.yaml:4 engine.kind: found "temporal"; expected a group with `kind: embedded`, `kind: restate` or `kind: inngest`',
      ],
    ],
    [
      "a remote that starts a program",
      `${base}remotes:\n  origin: {url: "ext::sh -c x"}\n`,
      [
        'garden.yaml:4 remotes.origin.url: found "ext::sh -c x"; expected the address of a git repository (https://…, ssh://…, user@host:path or a folder)',
      ],
    ],
    [
      "notes in the machine's folders",
      `${base}notes_root: memory/x\n`,
      [
        'garden.yaml:3 notes_root: found "memory/x"; expected a folder for notes that is not memory/ or logic/, or `.` for the whole garden',
      ],
    ],
    [
      "notes outside the garden",
      `${base}notes_root: ../x\n`,
      [
        'garden.yaml:3 notes_root: found "../x"; expected a folder for notes that is not memory/ or logic/, or `.` for the whole garden',
      ],
    ],
    [
      "a rule that would approve logic",
      `${base}auto_approve:\n  - source: agent\n    actions: [logic-update]\n`,
      [
        'garden.yaml:5 auto_approve[0].actions[0]: found "logic-update"; expected propose-note, propose-edit, propose-tag, propose-comment, propose-summary, propose-artifact or memory-update',
      ],
    ],
    [
      "a bad name of a model",
      `${base}models:\n  "My Model": {url: "http://x"}\n`,
      [
        "garden.yaml:4 models.My Model: found a group of keys; expected a name of lower-case Latin letters, digits and inner hyphens, up to 63 characters",
      ],
    ],
    [
      "an unknown time zone",
      `${base}schedule: {timezone: Kyiv/Oblast}\n`,
      ['garden.yaml:3 schedule.timezone: found "Kyiv/Oblast"; expected a time zone such as Europe/Kyiv'],
    ],
    [
      "a duplicate key",
      "version: 2\nname: a\nname: b\n",
      ["garden.yaml:3 name: a duplicate key; expected each key once"],
    ],
    [
      "a tab",
      "version: 2\nlimits:\n\tbody_bytes: 1\n",
      [expect.stringMatching(/^garden\.yaml:3: a tab at the beginning of a line; expected spaces/)],
    ],
    [
      "an open bracket",
      "version: 2\nname: [a\n",
      [expect.stringMatching(/^garden\.yaml:\d: (a quotation mark|a line that)/)],
    ],
    ["a text instead of keys", "hello\n", ['garden.yaml:1: found "hello"; expected a group of keys']],
    ["an empty file", "", ["garden.yaml:1: found nothing; expected a group of keys"]],
    [
      "a version that is a word",
      "version: new\nname: x\n",
      ['garden.yaml:1 version: found "new"; expected the format number 2'],
    ],
    [
      "a file that is too large",
      `${base}#${"x".repeat(MAX_CONFIG_BYTES)}`,
      [expect.stringContaining("at most 65,536 bytes")],
    ],
  ])("the reader reports %s by line and field", (_, text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  test("the reader reports all problems at once, in order of lines", () => {
    expect(
      told(`version: 2\nnmae: x\nlanguage: fr\negress: [UPPER]\n`).map((line) => line.split(":")[1]!.split(" ")[0]),
    ).toEqual(["1", "2", "3", "4"]);
  });

  test("problems have a Ukrainian text", () => {
    expect(told(`${base}langauge: uk\nlanguage: fr\n`, "uk")).toEqual([
      "garden.yaml:3 langauge: невідомий ключ; можливо, малося на увазі «language»?",
      'garden.yaml:4 language: знайдено "fr"; потрібно: uk або en',
    ]);
  });

  test("the reader refuses bytes that are not UTF-8, and an alias bomb", () => {
    expect(readGardenConfig(Uint8Array.of(0xff, 0xfe, 0)).kind).toBe("problems");
    const bomb = `${base}a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c]\n`;
    expect(told(bomb)).toEqual([expect.stringContaining("too many aliases")]);
  });

  test("missing settings get their defaults", () => {
    const reading = read(base);
    expect(reading.kind === "value" && reading.value).toMatchObject({
      notes_root: "notes",
      store: { kind: "directory" },
      schedule: { timezone: "UTC", missed: "once" },
    });
  });

  test.each([
    ["name: x\n", "older", 0, "bloom upgrade"],
    ["version: 3\nname: x\nfuture_key: 1\n", "newer", 3, "Update bloom"],
  ])("format of %j is reported as %s, with a hint", (text, kind, version, hint) => {
    const reading = read(text);
    expect(reading).toEqual({ kind, version });
    let thrown: unknown;
    try {
      expectConfig(reading);
    } catch (error) {
      thrown = error;
    }
    expect(isFailure(thrown, "VALIDATION_FAILED") && thrown.hint?.en).toContain(hint);
  });
});

describe("G-7 writing garden.yaml", () => {
  test.each(["Rose", "yes", "Сад: «Липи»", "# odd", "- list", "1", "multi 'quote\" name", "null"])(
    "the first file of %j is read back",
    (name) => {
      for (const language of ["uk", "en"] as const) {
        const reading = read(firstGardenConfig({ name, language, notesRoot: ".", agentsRoot: "agents" }));
        expect(reading.kind === "value" && reading.value).toMatchObject({ name, language, notes_root: "." });
      }
    },
  );

  test.each([
    [
      "replaces a value in place",
      "a: 1 # one\n\nname:   Old   # keep\n",
      ["name"],
      "New: thing",
      'a: 1 # one\n\nname:   "New: thing"   # keep\n',
    ],
    ["adds a key last", "# top\nname: x # n\n# end\n", ["language"], "uk", "# top\nname: x # n\n# end\nlanguage: uk\n"],
    ["adds a key without a final line break", "name: x", ["version"], 1, "name: x\nversion: 1\n"],
    [
      "sets a value deep inside",
      "# top\nremotes:\n  origin: { url: a } # o\n",
      ["remotes", "origin", "url"],
      "b",
      "# top\nremotes:\n  origin: { url: b } # o\n",
    ],
  ])("%s and keeps comments", (_, text, path, value, expected) => {
    expect(withGardenValue(text, path, value)).toBe(expected);
  });

  test("a new first key goes below the comment of the file", () => {
    expect(withGardenValue("# my garden\n\nname: x\n", ["version"], 1, "first")).toBe(
      "# my garden\n\nversion: 1\nname: x\n",
    );
  });

  test("a value in a missing group creates the group and keeps comments", () => {
    const changed = withGardenValue("# top\nname: x # n\n", ["schedule", "timezone"], "Europe/Kyiv");
    expect(changed).toBe("# top\nname: x # n\nschedule:\n  timezone: Europe/Kyiv\n");
  });
});
