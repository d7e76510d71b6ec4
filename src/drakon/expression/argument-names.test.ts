import { expect, test } from "vitest";
import { programOf, treeOf } from "../walk/testing/procedures.ts";
import { replay } from "../walk/testing/replay.ts";
import { argumentNamesFor } from "./argument-names.ts";

/** The arguments that a call passes to a tool with these fields. */
function payload(call: string, name: string, fields: readonly string[]): unknown {
  const argumentNames = argumentNamesFor([{ name, fields }]);
  const tree = treeOf(`BEGIN "X"\n  ${call}\nEND\n`);
  return replay(programOf(tree), {}, [], { argumentNames }).requests[0]?.payload;
}

test.each<[string, string, string[], unknown]>([
  [
    'create-proposal(тип: "t", нотатка: "n", зміст: "c")',
    "create-proposal",
    ["type", "note", "content"],
    { type: "t", note: "n", content: "c" },
  ],
  ['create-proposal("t", "n")', "create-proposal", ["type", "note", "content"], { type: "t", note: "n" }],
  ['noop("why")', "noop", ["reason"], { reason: "why" }],
  ['noop(причина: "why")', "noop", ["reason"], { reason: "why" }],
  ['find(запит: "q")', "find", ["query"], { query: "q" }],
  ['find(запит: "q")', "find", ["запит"], { запит: "q" }],
  ['find(питання: "q")', "find", ["text"], { питання: "q" }],
  ['notebooklm-query(query: "q")', "notebooklm-query", ["question", "source"], { question: "q" }],
  ['notebooklm-query(query: "q")', "notebooklm-query", ["question", "query"], { query: "q" }],
  ['write-memory(оброблені: ["a"])', "write-memory", ["text"], { оброблені: ["a"] }],
])("R-3 %s to %s(%j)", (call, name, fields, expected) => {
  expect(payload(call, name, fields)).toEqual(expected);
});
