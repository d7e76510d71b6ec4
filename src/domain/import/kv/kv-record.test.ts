import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { MAX_DUMP_BYTES, readKvDump } from "./kv-dump.ts";
import { checkKvPairs } from "./kv-record.ts";
import { oldProposal, oldZone } from "./testing/old-records.ts";

const read = (dump: string) => checkKvPairs(readKvDump(Buffer.from(dump)));
const kinds = (dump: string): string[] => read(dump).map(({ kind }) => kind);
const proposal = oldProposal("prop_1700000000000_0a0b0c0d");
const key = "proposal:prop_1700000000000_0a0b0c0d";
const array = (...pairs: unknown[]): string => JSON.stringify(pairs);

test.each<[string, string, string[]]>([
  ["an array of pairs with text values", array({ key, value: JSON.stringify(proposal) }), ["proposal"]],
  ["an array of pairs with plain values", array({ key, value: proposal }), ["proposal"]],
  [
    "an object from key to value",
    JSON.stringify({ [key]: JSON.stringify(proposal), "zones:index": "[]" }),
    ["proposal", "left"],
  ],
  [
    "JSON lines",
    `${JSON.stringify({ key, value: proposal })}\n\n${JSON.stringify({ key: "zone:z1", value: oldZone("z1") })}\n`,
    ["proposal", "zone"],
  ],
  ["a line that is broken", `${JSON.stringify({ key, value: proposal })}\n{"key": \n`, ["proposal", "refused"]],
  ["an empty array", "[]", []],
  [
    "items that are no pairs",
    '[1, null, "a", [], {"key": 1, "value": 2}]',
    ["refused", "refused", "refused", "refused", "refused"],
  ],
  ["a value that is broken JSON", array({ key, value: "{" }), ["refused"]],
  ["the key __proto__", `{"__proto__": {"polluted": true}, "constructor": 1}`, ["left", "left"]],
  [
    "__proto__ inside a record",
    `[{"key": "${key}", "value": ${JSON.stringify(proposal).replace("{", '{"__proto__": {"polluted": true},')}}]`,
    ["proposal"],
  ],
  ["a key twice with one value", array({ key, value: proposal }, { key, value: proposal }), ["proposal", "left"]],
  [
    "a key twice with two values",
    array({ key, value: proposal }, { key, value: { ...proposal, guestName: "Eve" } }),
    ["refused", "refused"],
  ],
  ["an id of another record", array({ key: "proposal:other", value: proposal }), ["refused"]],
  [
    "an id that is a path",
    array({ key: "proposal:../../x", value: { ...proposal, proposalId: "../../x" } }),
    ["refused"],
  ],
  ["wrong types", array({ key, value: { ...proposal, createdAt: "yesterday", status: "maybe" } }), ["refused"]],
  [
    "half of a surrogate pair",
    `[{"key": "${key}", "value": ${JSON.stringify(proposal).replace('"Olena"', '"\\ud800"')}}]`,
    ["refused"],
  ],
  ["a zero byte in a text", array({ key, value: { ...proposal, proposedContent: "a\0b" } }), ["refused"]],
  ["keys of other parts", array({ key: "session:1", value: "secret" }), ["left"]],
])("I-2 a dump is read: %s", (_, dump, expected) => {
  expect(kinds(dump)).toEqual(expected);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each<[string, Uint8Array]>([
  ["nothing", Buffer.alloc(0)],
  ["broken JSON", Buffer.from('{"a": ')],
  ["a number", Buffer.from("7")],
  ["bytes that are no text", Uint8Array.of(0xff, 0xfe, 0x00)],
  ["nesting without an end", Buffer.from("[".repeat(100_000))],
  ["more bytes than allowed", Buffer.alloc(MAX_DUMP_BYTES + 1)],
])("I-2 a dump that is %s is refused as a whole", (_, bytes) => {
  let thrown: unknown;
  try {
    readKvDump(bytes);
  } catch (error) {
    thrown = error;
  }
  expect(isFailure(thrown)).toBe(true);
});

test("I-2 a problem names the field and never its value, and no access code is read", () => {
  const told = (zone: Record<string, unknown>): string =>
    JSON.stringify(
      read(array({ key: "zone:z1", value: zone })).map((record) => ({ ...record, pair: record.pair.key })),
    );
  const code = "OPEN-SESAME";
  const broken = told({ ...oldZone("z1"), accessCode: code, createdAt: code });
  expect(broken).toContain("createdAt");
  expect(`${broken}${told({ ...oldZone("z1"), accessCode: code })}`).not.toContain(code);
});
