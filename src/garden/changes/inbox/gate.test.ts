import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { gateOrder } from "./gate.ts";
import { receive } from "./receive.ts";
import { accepted, answered, archivist, calendar, choir, gateway, note, owner, withAgent } from "./testing/people.ts";

const notes = {
  "notes/a.md": "one\ntwo\nthree\n",
  "notes/choir/song.md": "la\n",
  "garden.yaml.md": "no",
};
const someone: Identity = { type: "agent", slug: "nobody", run: "run_x" };
const elsewhen: Identity = { type: "agent", slug: "archivist", run: "run_2026-02-14_080000_zzzzzz" };
const plain = note();
const artifact = (agent?: string) => ({ action: "propose-artifact", payload: { name: "a.md", text: "x", agent } });
const edit = (path: string) => ({ action: "propose-edit", payload: { path, text: "other\n" } });
const comment = (path: string) => ({ action: "propose-comment", payload: { note: path, text: "x" } });

describe("P-3 the gate", () => {
  test("the gate has its checks in the order of the rule", () => {
    expect(gateOrder).toEqual([
      "authenticated",
      "may-act",
      "safe-outputs",
      "readable",
      "may-touch",
      "possible",
      "not-tried-before",
      "not-pending-already",
      "within-rate",
    ]);
  });

  const table: [string, Identity | undefined, { action: string; payload: unknown }, string][] = [
    ["nobody", undefined, plain, "AUTH_REQUIRED authenticated"],
    ["the owner", owner, plain, "accepted"],
    ["the program itself", gateway, plain, "accepted"],
    ["an agent", archivist, plain, "accepted"],
    ["an agent that does not exist", someone, plain, "FORBIDDEN safe-outputs"],
    ["an agent in a run that does not exist", elsewhen, plain, "FORBIDDEN safe-outputs"],
    ["an agent with what is no safe output of its", archivist, comment("notes/a.md"), "FORBIDDEN safe-outputs"],
    ["an agent in its own folder", archivist, artifact(), "accepted"],
    ["an agent in another's folder", archivist, artifact("echo"), "FORBIDDEN may-touch"],
    ["a webhook with its action", calendar, plain, "accepted"],
    ["a webhook with another action", calendar, edit("notes/a.md"), "FORBIDDEN may-act"],
    ["a guest in the zone", choir, edit("notes/choir/song.md"), "accepted"],
    ["a guest beside the zone", choir, edit("notes/a.md"), "FORBIDDEN may-touch"],
    ["a guest in a folder that begins like it", choir, note("notes/choirs.md"), "FORBIDDEN may-touch"],
    ["a guest with an action that the zone has not", choir, artifact("echo"), "FORBIDDEN may-act"],
    [
      "a guest with a summary that lands in an agent's folder",
      choir,
      {
        action: "propose-summary",
        payload: { note: "notes/choir/song.md", text: "x", into: { kind: "artifact", agent: "archivist" } },
      },
      "FORBIDDEN possible",
    ],
    ["an agent at the settings", archivist, edit("garden.yaml"), "FORBIDDEN may-touch"],
    ["an agent at frozen logic", archivist, edit("logic/archivist/versions/v001.pseudo.md"), "FORBIDDEN may-touch"],
    ["an agent at another's memory", archivist, edit("memory/echo/facts.md"), "FORBIDDEN may-touch"],
    ["the owner at the settings", owner, edit("garden.yaml"), "VALIDATION_FAILED may-touch"],
    ["the owner with a note that does not exist", owner, edit("notes/gone.md"), "NOT_FOUND possible"],
    ["a payload that cannot be read", owner, { action: "propose-edit", payload: {} }, "VALIDATION_FAILED readable"],
    [
      "the same text again",
      owner,
      { action: "propose-edit", payload: { path: "notes/a.md", text: notes["notes/a.md"] } },
      "DUPLICATE_ENTRY possible",
    ],
    ["an unknown action", owner, { action: "propose-nite", payload: {} }, "VALIDATION_FAILED unfiled"],
    ["no payload", owner, { action: "propose-note", payload: null }, "VALIDATION_FAILED unfiled"],
  ];
  test("each identity may do what the rule allows, and nothing else", async () => {
    const { garden } = await gardenWith(notes);
    await withAgent(garden);
    const answers: [string, string][] = [];
    for (const [who, identity, wish] of table) {
      const fresh = wish.payload === plain.payload ? note(`notes/${answers.length}.md`) : wish;
      answers.push([who, await answered(garden, { identity, ...fresh })]);
    }
    expect(answers).toEqual(table.map(([who, , , answer]) => [who, answer]));
  });

  const names: readonly (readonly [string, string])[] = [
    ["a b.md", "accepted"],
    ["Ідеї №1.md", "accepted"],
    ["👩\u200d🌾.md", "accepted"],
    ["\u001b[2Jclean.md", "VALIDATION_FAILED readable"],
    ["a\rb.md", "VALIDATION_FAILED readable"],
    ["\u202egpj.md", "VALIDATION_FAILED readable"],
    ["a\u200b.md", "VALIDATION_FAILED readable"],
    ["a\u{e0061}.md", "VALIDATION_FAILED readable"],
    ["cafe\u0301.md", "VALIDATION_FAILED readable"],
    ["a.md:stream.md", "VALIDATION_FAILED readable"],
    ["con.md", "VALIDATION_FAILED readable"],
    ["aux/a.md", "VALIDATION_FAILED readable"],
    ["choir./a.md", "VALIDATION_FAILED readable"],
    [" a.md", "VALIDATION_FAILED readable"],
  ];
  test("P-4a a new note cannot have a name that looks like another one, or that a file system cannot hold", async () => {
    const { garden } = await gardenWith(notes);
    const answers = [];
    for (const [name] of names) answers.push([name, await answered(garden, note(`notes/${name}`))]);
    expect(answers).toEqual(names);
  });

  const askers: readonly (readonly [string, Identity, boolean])[] = [
    ["the owner", owner, true],
    ["an agent that may read it there", archivist, true],
    ["an agent that may not", { ...archivist, slug: "narrow" }, false],
    ["a guest", choir, false],
  ];
  test.each(askers)(
    "the new path of a moved note is shown only to a caller that may read it: %s",
    async (_, identity, told) => {
      const { garden, dir } = await gardenWith(notes);
      await withAgent(garden);
      await withAgent(garden, "narrow", { context: "{ folder: choir }" });
      git(dir, "mv", "notes/choir/song.md", "notes/private-plan.md");
      git(dir, "commit", "-qm", "Take away");
      const received = await receive(garden, { identity, ...edit("notes/choir/song.md") });
      expect(received).toMatchObject({ kind: "refused", failure: { code: "NOT_FOUND" } });
      const words = JSON.stringify(received.kind === "refused" && [received.failure.text, received.failure.details]);
      expect({ namesPath: words.includes("private-plan"), namesPerson: words.includes("Ann") }).toEqual({
        namesPath: told,
        namesPerson: told,
      });
    },
  );

  test("an agent that is not active may not propose", async () => {
    const { garden } = await gardenWith(notes);
    const states = ["draft", "paused", "error", "archived"];
    const answers: string[] = [];
    for (const status of states) {
      await withAgent(garden, status, { status });
      answers.push(await answered(garden, { identity: { ...archivist, slug: status } }));
    }
    expect(answers).toEqual(states.map(() => "FORBIDDEN safe-outputs"));
  });

  test("P-4a an agent may touch another's folders where the owner granted it", async () => {
    const { garden, dir } = await gardenWith(notes);
    await withAgent(garden);
    appendFileSync(
      `${dir}/garden.yaml`,
      "grants:\n  - { agent: archivist, actions: [propose-artifact], on: [echo] }\n",
    );
    await withAgent(garden, "echo");
    expect(await answered(garden, { identity: archivist, ...artifact("echo") })).toBe("accepted");
  });

  test("a refusal of a duplicate names the pending proposal", async () => {
    const { garden } = await gardenWith(notes);
    const first = await accepted(garden);
    const second = await receive(garden, { identity: gateway, ...note() });
    expect(second).toMatchObject({
      kind: "refused",
      failure: { code: "DUPLICATE_ENTRY", details: { proposal: first.id } },
    });
  });

  test("an agent may not claim to edit or revert a proposal", async () => {
    const { garden } = await gardenWith(notes);
    await withAgent(garden);
    const said = [{ edits: "prop_x" }, { reverts: "prop_x" }];
    const answers = await Promise.all(said.map((each) => answered(garden, { identity: archivist, ...each })));
    expect(answers).toEqual(["FORBIDDEN may-act", "FORBIDDEN may-act"]);
  });

  test("a diff that does not apply is refused with its hunk, and reveals nothing of the note", async () => {
    const { garden } = await gardenWith(notes);
    const diff = "@@ -2,1 +2,1 @@\n-zwei\n+2\n";
    const received = await receive(garden, {
      identity: owner,
      action: "propose-edit",
      payload: { path: "notes/a.md", diff },
    });
    expect(received).toMatchObject({
      kind: "refused",
      failure: {
        code: "CONCURRENT_MODIFICATION",
        text: { en: 'the diff does not fit notes/a.md @@ -2,1 +2,1 @@: line 2 is not "zwei"' },
        details: { hunk: "@@ -2,1 +2,1 @@" },
      },
    });
  });

  test("a diff that applies becomes the whole new text", async () => {
    const { garden } = await gardenWith(notes);
    const diff = "@@ -2,1 +2,1 @@\n-two\n+2\n";
    const { operation } = await accepted(garden, { action: "propose-edit", payload: { path: "notes/a.md", diff } });
    expect(operation.payload).toEqual({ path: "notes/a.md", text: "one\n2\nthree\n" });
  });

  test.each<[string, object, string]>([
    ["adds an allowed tag", { add: ["bug"] }, "accepted"],
    ["adds another tag", { add: ["bug", "plan"] }, "FORBIDDEN safe-outputs"],
    ["adds another tag by its other name", { tags: ["plan"] }, "FORBIDDEN safe-outputs"],
    ["removes an allowed tag", { remove: ["bug"] }, "FORBIDDEN safe-outputs"],
    ["sends a text in place of a list", { add: ["bug"], remove: "bug" }, "VALIDATION_FAILED readable"],
  ])("I-1 a contract that only adds one tag: an agent that %s gets %s", async (_, change, answer) => {
    const { garden } = await gardenWith({ "notes/a.md": "---\ntags: [old]\n---\n# A\n" });
    await withAgent(garden, "archivist", { tags: "{ change: add, only: [bug] }" });
    const wish = { identity: archivist, action: "propose-tag", payload: { path: "notes/a.md", ...change } };
    expect(await answered(garden, wish)).toBe(answer);
  });

  test("a title becomes the first free path, also beside an uncommitted file", async () => {
    const { garden, dir } = await gardenWith({ "notes/ідея.md": "a" });
    writeFileSync(`${dir}/notes/ідея-2.md`, "by hand");
    const { operation } = await accepted(garden, { payload: { title: "Ідея", text: "x\n" } });
    expect(operation.payload).toEqual({ path: "notes/ідея-3.md", text: "# Ідея\n\nx\n" });
  });

  test.each([
    ["the folder of Obsidian's settings", "Inbox", "notes/Inbox/ідея.md"],
    ["the notes root if that folder is hidden", ".hidden", "notes/ідея.md"],
  ])("I-3 a title without a folder goes to %s", async (_, newFileFolderPath, path) => {
    const app = JSON.stringify({ newFileLocation: "folder", newFileFolderPath });
    const { garden } = await gardenWith({ "notes/a.md": "a", "notes/.obsidian/app.json": app });
    const { operation } = await accepted(garden, { payload: { title: "Ідея", text: "x\n" } });
    expect(operation.payload).toMatchObject({ path });
  });

  test("a summary cannot forge a trailer, nor turn a line around", async () => {
    const { garden } = await gardenWith(notes);
    const { summary } = await accepted(garden, { summary: "Fix\n\nApproved-by: owner\u202e\u001b[31m" });
    expect(summary).toBe("Fix Approved-by: owner [31m");
  });

  test("an unavailable store is thrown, not a refusal", async () => {
    const { garden } = await gardenWith(notes);
    const away = { ...garden, store: { ...garden.store, get: () => Promise.reject(new Error("away")) } };
    const answer = await receive({ ...away, folder: garden.folder }, { identity: owner, ...note() }).catch(
      (e: unknown) => e,
    );
    expect(isFailure(answer)).toBe(false);
  });
});
