import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closed, files, gardenWith, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { runCommandLine } from "../run-command-line.ts";

const DIAGRAM = JSON.stringify({
  name: "Догляд",
  items: {
    "1": { type: "branch", branchId: 0, one: "2" },
    "2": { type: "action", content: 'create-proposal(тип: "propose-note")', one: "9" },
    "9": { type: "end" },
  },
});

async function garden(): Promise<string> {
  return (await closed(await gardenWith())).dir;
}

async function bloom(dir: string, ...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  const exit = await runCommandLine(["agent", ...args], {
    ground,
    garden: undefined,
    language: undefined,
    systemLanguage: undefined,
    debug: false,
    plain: true,
    terminal: { out: (text) => (out += text), err: (text) => (err += text), interactive: false, columns: 80 },
    machine: {
      cwd: dir,
      version: "1.2.3",
      port: undefined,
      host: undefined,
      allowedHosts: [],
      input: () => Promise.resolve(Buffer.from("")),
      examples: ground.folders.at(dir),
      serve: () => Promise.reject(new Error("not here")),
      stopRequested: () => Promise.resolve(),
    },
  });
  return { exit, out, err };
}

describe("bloom agent", () => {
  test("U-2 U-1a artifacts of an agent are listed and printed, safely on a terminal and whole as JSON", async () => {
    const { garden: made, dir } = await gardenWith();
    await closed({ garden: made });
    await bloom(dir, "new", "echo");
    files(join(dir, ".bloom/store/agents/echo/artifacts"), {
      "plans/spring.md": "# Spring\n\u001b[2J",
      "x.bin": "\u0000",
    });
    const told: string[] = [];
    for (const line of [
      "artifacts echo",
      "artifacts echo --file plans/spring.md",
      "artifacts echo --file x.bin --json",
    ])
      told.push((await bloom(dir, ...line.split(" "))).out);
    const missing = await bloom(dir, "artifacts", "echo", "--file", "none.md");
    expect({
      list: told[0],
      text: told[1],
      bytes: JSON.parse(told[2]!),
      isMissing: missing.exit !== 0,
      missing: missing.err,
    }).toMatchObject({
      list: expect.stringMatching(/plans\/spring\.md +13\n.*x\.bin +1/s),
      text: "# Spring\n\ufffd[2J\n",
      bytes: { kind: "bytes", base64: "AA==" },
      isMissing: true,
      missing: expect.stringContaining("none.md"),
    });
  });

  test("U-2 every command in the life of an agent prints its result", async () => {
    const dir = await garden();
    const said: string[] = [];
    for (const line of [
      "list",
      "new echo --name Echo",
      "list",
      "check echo",
      "activate echo",
      "pause echo --reason holiday",
      "resume echo",
      "delete echo --confirm echo",
      "archive echo",
      "restore echo",
      "archive echo",
      "delete echo",
      "delete echo --confirm echo",
      "list --status archived",
      "show echo",
    ]) {
      const { exit, out, err } = await bloom(dir, ...line.split(" "));
      said.push(`$ bloom agent ${line}\n${out}${err}${exit === 0 ? "" : `(exit ${exit})\n`}`);
    }
    await expect(said.join("\n")).toMatchFileSnapshot(
      join(import.meta.dirname, "../../../test/golden/contract/life.en.md"),
    );
  });

  test("C-3 check prints every problem with its line, in both languages, and exits with 1", async () => {
    const dir = await garden();
    await bloom(dir, "new", "echo", "--prose", "--lang", "uk");
    const path = join(dir, "agents/echo/_agent.md");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace("max_steps: 5", "max_steps: 50").replace("model:", "modle:"),
    );
    const [uk, en] = [await bloom(dir, "check", "echo", "--lang", "uk"), await bloom(dir, "check", "echo", "--json")];
    expect({ uk: uk.exit, en: en.exit }).toEqual({ uk: 1, en: 1 });
    expect(uk.out).toMatch(
      /✗ front matter валідний +agents\/echo\/_agent\.md:9 modle: невідомий ключ; можливо, малося на увазі «model»\?\n +agents\/echo\/_agent\.md:11 max_steps: знайдено 50/,
    );
    expect(JSON.parse(en.out)).toMatchObject({
      ready: false,
      problems: [
        { line: 9, field: "modle", suggestion: "model" },
        { line: 11, field: "max_steps" },
      ],
    });
  });

  test("agent new creates an agent from a diagram and from a folder", async () => {
    const dir = await garden();
    const place = scratch();
    files(place, { "care.drakon.json": DIAGRAM });
    const drawn = await bloom(dir, "new", "care", "--diagram", join(place, "care.drakon.json"), "--lang", "uk");
    const copied = await bloom(
      dir,
      "new",
      "violin",
      "--from",
      join(import.meta.dirname, "../../../examples/archivist"),
      "--json",
    );
    expect({ err: drawn.err, firstLine: drawn.out.split("\n")[0] }).toEqual({
      err: "",
      firstLine: "Створено агента care: чернетка, версія 1.0.0, логіка v001.",
    });
    expect(JSON.parse(copied.out)).toMatchObject({
      slug: "violin",
      contract: { name: "Архіваріус Violin", status: "draft" },
    });
  });

  test.each<[string, string[], number, string]>([
    [
      "an unknown verb",
      ["activte", "echo"],
      2,
      'bloom: unknown subcommand "activte"\n→ Did you mean `bloom agent activate`?\n',
    ],
    ["no slug", ["show"], 2, "bloom: agent show: missing argument\n→ Usage: bloom agent show SLUG\n"],
    [
      "a slug too many",
      ["list", "echo"],
      2,
      'bloom: agent list: unexpected argument "echo"\n→ Usage: bloom agent list [--status STATUS]\n',
    ],
    [
      "no such agent",
      ["show", "nobody"],
      3,
      "bloom: there is no agent nobody\n→ `bloom agent list` shows those there are.\n",
    ],
    [
      "no such status",
      ["list", "--status", "activ"],
      2,
      'bloom: --status: unknown value "activ"\n→ Did you mean `--status active`?\n',
    ],
    [
      "two origins",
      ["new", "x", "--prose", "--from", "y"],
      2,
      "bloom: agent new: several sources given\n→ Use one of --diagram, --from and --prose.\n",
    ],
    [
      "a diagram that does not exist",
      ["new", "x", "--diagram", "gone.drakon.json"],
      3,
      "bloom: no such file: gone.drakon.json\n",
    ],
    [
      "a name that is no slug",
      ["new", "X"],
      2,
      'bloom: "X" cannot name an agent\n→ Lower-case Latin letters, digits and inner hyphens, up to 63 characters: archivist-violin.\n',
    ],
  ])("refuses %s", async (_, args, exit, err) =>
    expect(await bloom(await garden(), ...args)).toEqual({ exit, out: "", err }),
  );
});
