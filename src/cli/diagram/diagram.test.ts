import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { files, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { runCommandLine } from "../run-command-line.ts";

const good = {
  name: "Догляд",
  items: {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "action", content: "полити", one: "3" },
    3: { type: "end" },
  },
};
const calling = { items: { ...good.items, 2: { type: "insertion", content: "інша", one: "3" } } };
const broken = {
  items: {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "question", content: "?", one: "3" },
    3: { type: "end" },
  },
};

function folder(): string {
  const dir = scratch();
  const diagrams = { good, broken, calling };
  for (const [name, content] of Object.entries(diagrams))
    writeFileSync(join(dir, `${name}.drakon.json`), JSON.stringify(content));
  writeFileSync(join(dir, "text.json"), "not a diagram");
  return dir;
}

async function bloom(
  cwd: string,
  args: readonly string[],
  input = "",
): Promise<{ exit: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z"));
  const exit = await runCommandLine(["diagram", ...args], {
    ground,
    garden: undefined,
    language: undefined,
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (out += text), err: (text) => (err += text), interactive: false, columns: 80 },
    machine: {
      cwd,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from(input)),
      examples: ground.folders.at(cwd),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  });
  return { exit, out, err };
}

describe("bloom diagram", () => {
  test.each<[string, string[], number, string]>([
    ["a good file", ["check", "good.drakon.json"], 0, "good.drakon.json: valid, 3 icons\n"],
    [
      "several files, one of them broken",
      ["check", "good.drakon.json", "broken.drakon.json", "--lang", "uk"],
      1,
      "good.drakon.json: гаразд, ікон: 3\nbroken.drakon.json: помилка E-MISSING-EXIT [2 “?”]: немає виходу праворуч\n",
    ],
    [
      "a file that is not a diagram",
      ["check", "text.json"],
      1,
      "text.json: error E-JSON: the file is not a DRAKON diagram: JSON?\n",
    ],
    [
      "an agent's files of which one is missing",
      ["check", "--together", "good.drakon.json", "calling.drakon.json"],
      1,
      expect.stringContaining("error E-INSERTION [2 “інша”]") as string,
    ],
    ["pseudocode", ["render", "good.drakon.json"], 0, 'ПОЧАТОК "Догляд"\n\n  полити\n\nКІНЕЦЬ\n'],
    [
      "pseudocode in English, numbered",
      ["render", "good.drakon.json", "--lang", "en", "--numbered"],
      0,
      expect.stringContaining("3|   полити") as string,
    ],
    ["a picture", ["draw", "good.drakon.json"], 0, expect.stringMatching(/^<svg .*полити.*<\/svg>\n$/s) as string],
    ["a picture of a broken diagram", ["draw", "broken.drakon.json"], 0, expect.stringMatching(/^<svg /) as string],
    [
      "two equal files",
      ["diff", "good.drakon.json", "good.drakon.json"],
      0,
      expect.stringContaining("Both have the same meaning.") as string,
    ],
    [
      "a contract",
      ["export", "good.drakon.json"],
      0,
      expect.stringContaining('generated_from: "good.drakon.json"') as string,
    ],
  ])("prints the result for %s", async (_, args, exit, out) =>
    expect(await bloom(folder(), args)).toEqual({ exit, out, err: "" }),
  );

  test.each<[string, string[], number, string]>([
    ["no file", ["check"], 2, "diagram check: missing argument"],
    ["one file too many", ["diff", "a", "b", "c"], 2, 'diagram diff: unexpected argument "c"'],
    ["a file that does not exist", ["check", "nothing.drakon"], 3, "no such file: nothing.drakon"],
    ["a verb that does not exist", ["paint", "x"], 2, 'unknown subcommand "paint"'],
    ["a folder instead of a file", ["check", "."], 2, ". is a folder"],
    [
      "a theme that does not exist",
      ["draw", "good.drakon.json", "--theme", "pink"],
      2,
      '--theme: unknown value "pink"',
    ],
    [
      "D-2a pseudocode of a broken diagram",
      ["render", "broken.drakon.json"],
      2,
      "broken.drakon.json: the exit to the right is missing (2)",
    ],
    [
      "D-2a a contract from a broken diagram",
      ["export", "broken.drakon.json"],
      2,
      "broken.drakon.json: the exit to the right is missing (2)",
    ],
    [
      "several pictures without a folder",
      ["draw", "good.drakon.json", "broken.drakon.json"],
      2,
      "diagram draw: several files need an output folder",
    ],
    ["a new diagram over an old one", ["new", "good.drakon.json"], 5, "good.drakon.json already exists"],
    [
      "an invalid contract",
      ["export", "good.drakon.json", "--agent", "text.json"],
      2,
      "the contract has no front matter",
    ],
  ])("refuses %s with a message", async (_, args, exit, said) => {
    const told = await bloom(folder(), args);
    expect({ exit: told.exit, out: told.out, firstLine: told.err.split("\n")[0] }).toEqual({
      exit,
      out: "",
      firstLine: `bloom: ${said}`,
    });
  });

  test("control characters in an icon's text are not printed", async () => {
    const nasty = {
      items: { ...broken.items, 2: { type: "question", content: "\u001b[31mred\u0007\u202e?", one: "3" } },
    };
    const { out } = await bloom(folder(), ["check", "-"], JSON.stringify(nasty));
    expect(out).toBe("-: error E-MISSING-EXIT [2 “[31mred ?”]: the exit to the right is missing\n");
  });

  test("reads standard input, and prints everything as JSON", async () => {
    const { out } = await bloom(folder(), ["tree", "-", "--json"], JSON.stringify(good));
    expect(JSON.parse(out)).toMatchObject({
      format: 1,
      behaviour: expect.stringMatching(/^[0-9a-f]{40}$/),
      tree: {
        name: "Догляд",
        silhouette: false,
        branches: [{ icon: "1", body: [{ node: "step", kind: "action", icon: "2", text: "полити" }] }],
      },
    });
  });

  test("draws several files into a folder, and a page of them all", async () => {
    const dir = folder();
    await bloom(dir, ["draw", "good.drakon.json", "broken.drakon.json", "-o", "pictures"]);
    await bloom(dir, ["gallery", "good.drakon.json", "broken.drakon.json", "-o", "all.html"]);
    const begins = ["pictures/good.svg", "pictures/broken.svg", "all.html"].map((name) =>
      readFileSync(join(dir, name), "utf8").slice(0, 5),
    );
    expect(begins).toEqual(["<svg ", "<svg ", "<!doc"]);
  });

  test("I-1 a procedure in prose becomes a first draft that says so; other prose does not", async () => {
    const dir = scratch();
    files(dir, {
      "steps.md":
        "# Walk\n\n1. Look\n2. Choose a note\n   - If it is old, then leave it\n   - Otherwise, name it\n3. Report\n",
      "essay.md": "Gardens are slow.\n",
    });
    expect((await bloom(dir, ["new", "walk.drakon.json", "--from", "steps.md", "--lang", "en"])).out).toContain(
      "a first draft of 6 icons",
    );
    expect((await bloom(dir, ["check", "walk.drakon.json"])).exit).toBe(0);
    expect((await bloom(dir, ["render", "walk.drakon.json", "--lang", "en"])).out).toMatch(/it is old[\s\S]*name it/);
    expect(readFileSync(join(dir, "walk.drakon.json"), "utf8")).toContain("first draft");
    expect((await bloom(dir, ["new", "essay.drakon.json", "--from", "essay.md"])).exit).toBe(2);
    expect((await bloom(dir, ["new", "none.drakon.json", "--from", "none.md"])).exit).toBe(3);
    expect(existsSync(join(dir, "essay.drakon.json"))).toBe(false);
  });

  test("D-1 a new diagram is valid, as a primitive and as a silhouette", async () => {
    const dir = folder();
    await bloom(dir, ["new", "one.drakon.json", "--lang", "uk"]);
    await bloom(dir, ["new", "two.drakon.json", "--silhouette", "--name", "Дві гілки"]);
    expect(await bloom(dir, ["check", "one.drakon.json", "two.drakon.json"])).toMatchObject({ exit: 0, err: "" });
  });
});
