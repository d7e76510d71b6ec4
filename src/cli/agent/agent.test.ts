import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closed, files, gardenWith, git, scratch } from "../../garden/testing/scratch.ts";
import type { HostProcess } from "../command.ts";
import { inProcessBloom } from "../testing/command-line.ts";

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

const bloom = (dir: string, ...args: string[]) => bloomWith(dir, {}, ...args);

const bloomWith = (dir: string, host: Partial<HostProcess>, ...args: string[]) =>
  inProcessBloom(dir, ["agent", ...args], { host });

/** An editor that makes these changes one after another, and a person who gives these answers. */
function person(changes: readonly [from: string, to: string][], answers: readonly string[]) {
  const [left, asked, seen] = [[...answers], [] as string[], [] as string[]];
  return {
    asked,
    /** The copies that the editor was given. */
    seen,
    machine: {
      async editFile(path: string) {
        seen.push(path);
        const [from, to] = changes[seen.length - 1]!;
        writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
      },
      async ask(question: string) {
        asked.push(question.trim());
        return left.shift() ?? "";
      },
    },
  };
}

describe("U-2, G-1a bloom agent edit", () => {
  const edited = async () => {
    const dir = await garden();
    await bloom(dir, "new", "echo", "--prose");
    const file = join(dir, "agents/echo/_agent.md");
    return { dir, file, before: readFileSync(file, "utf8"), head: git(dir, "rev-parse", "main") };
  };

  test("a change in the editor is shown, and committed under agents/ after a yes", async () => {
    const { dir, file, head } = await edited();
    const someone = person([["temperature: 0.3", "temperature: 0.7"]], ["y"]);
    const told = await bloomWith(dir, someone.machine, "edit", "echo", "--reason", "warmer");
    expect(told).toMatchObject({ exit: 0, err: "" });
    expect(told.out).toMatch(/-temperature: 0\.3\n\+temperature: 0\.7\n/);
    expect(told.out).toMatch(/\nSaved agents\/echo\/_agent\.md \(commit [0-9a-f]{10}\)\. The next run uses it\.\n/);
    expect(readFileSync(file, "utf8")).toContain("temperature: 0.7");
    expect({
      changed: git(dir, "diff", "--name-only", head, "main"),
      clean: git(dir, "status", "--porcelain"),
      copyLeft: existsSync(someone.seen[0]!),
      outside: someone.seen[0]!.startsWith(join(dir, ".bloom/tmp/")),
    }).toEqual({ changed: "agents/echo/_agent.md", clean: "", copyLeft: false, outside: true });
    expect(git(dir, "log", "-1", "--format=%B")).toMatch(/^Contract: echo$/m);
  });

  test("an invalid contract is edited again; a discarded one leaves nothing", async () => {
    const { dir, file, before, head } = await edited();
    const again = person(
      [
        ["temperature: 0.3", "temprature: 0.7"],
        ["temprature: 0.7", "temperature: 0.7"],
      ],
      ["y", "n"],
    );
    const told = await bloomWith(dir, again.machine, "edit", "echo");
    const aborted = await bloomWith(dir, person([["tools:", "toolz:"]], ["n"]).machine, "edit", "echo");
    const same = await bloomWith(dir, person([["", ""]], []).machine, "edit", "echo");
    expect({ asked: again.asked, out: told.out }).toEqual({
      asked: ["The contract is invalid. y edit again, n discard:", "y save, e edit again, n discard:"],
      out: expect.stringMatching(/temprature.*did you mean "temperature".*echo: nothing was changed\.\n$/s) as string,
    });
    expect([aborted.out.split("\n").at(-2), same.out]).toEqual([
      "echo: nothing was changed.",
      "echo: nothing was changed.\n",
    ]);
    expect({ text: readFileSync(file, "utf8"), head: git(dir, "rev-parse", "main") }).toEqual({ text: before, head });
  });

  test("without a terminal it names the file and --file, which a script uses", async () => {
    const { dir, before, file } = await edited();
    const refused = await bloom(dir, "edit", "echo");
    expect(refused).toEqual({
      exit: 2,
      out: "",
      err: "bloom: `bloom agent edit` needs a terminal and an editor ($VISUAL or $EDITOR)\n→ Edit agents/echo/_agent.md yourself, then `bloom agent check echo`; or give the new file: `bloom agent edit echo --file FILE`.\n",
    });
    const input = () => Promise.resolve(Buffer.from(before.replace("temperature: 0.3", "temperature: 0.9")));
    const told = await bloomWith(dir, { input }, "edit", "echo", "--file", "-", "--json");
    expect(JSON.parse(told.out)).toMatchObject({
      slug: "echo",
      changed: true,
      contract: { temperature: 0.9 },
      drift: [],
    });
    expect(readFileSync(file, "utf8")).toContain("temperature: 0.9");
  });
});

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
      "bloom: agent new: several sources given\n→ Use one of --template, --diagram, --drawing, --pseudocode, --from and --prose.\n",
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
