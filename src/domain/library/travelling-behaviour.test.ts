import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint, keyPairOf } from "../federation/ssh-key.ts";
import type { EvidenceRecord } from "./evidence-record.ts";
import { type BehaviourFiles, readTravelling, travellingFiles } from "./travelling-behaviour.ts";

const key = keyPairOf(Buffer.alloc(32, 1));
const named = {
  name: "Mend links after a rename",
  kind: "session-flow",
  behaviour: "a".repeat(40),
  version: "v007",
  language: "en",
  space: fingerprint(key.publicKey),
} as const;
const record: EvidenceRecord = {
  verdict: "good",
  failed: false,
  tokens: 12,
  model: "bloom/follower",
  temperature: 0.3,
  walk: {
    input: { wanted: true },
    answers: [{ ask: "tool read-notes", icon: "3", value: ["t1"] }],
    path: ["3", "4=true"],
    end: "done",
  },
};
const sample = (): BehaviourFiles => travellingFiles({ ...named, logic: "{}", records: [record] }, key);

const records = fc.array(
  fc.record({
    verdict: fc.constantFrom("good" as const, "bad" as const, "open" as const),
    failed: fc.boolean(),
    tokens: fc.nat(),
    model: fc.string({ maxLength: 20 }).map((text) => text.normalize("NFC").toWellFormed()),
    temperature: fc.option(fc.constantFrom(0, 0.3, 1)),
  }),
  { maxLength: 20 },
);

describe("S-9b a behaviour that travels", () => {
  test("a behaviour is read back as it was written, with the key that signed it", () => {
    fc.assert(
      fc.property(records, fc.string({ maxLength: 200 }), (all, text) => {
        const logic = text.toWellFormed();
        const reading = readTravelling(travellingFiles({ ...named, logic, records: all }, key));
        if (reading.kind !== "behaviour") throw new Error(reading.why);
        const { head, signer, ...value } = reading.value;
        expect([value.logic, value.records, head.statistics.runs, fingerprint(signer)]).toEqual([
          logic,
          all,
          all.length,
          named.space,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test("a behaviour with any bit changed, cut off or added is refused", () => {
    const files = sample();
    const names = [...files.keys()];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.nat(7), fc.nat(2), (name, place, bit, how) => {
        const bytes = Buffer.from(files.get(name)!);
        const at = place % bytes.length;
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1 << bit;
        const other = [flipped, bytes.subarray(0, at), Buffer.concat([bytes, Buffer.from("\n")])][how]!;
        expect(readTravelling(new Map([...files, [name, other]])).kind).toBe("refused");
      }),
      { numRuns: 400 },
    );
  });

  const cases: readonly [string, (files: Map<string, Uint8Array>) => void, string][] = [
    ["a file that does not belong to it", (files) => files.set("hook.sh", Buffer.from("x")), "stray-file"],
    ["the file of another kind beside its own", (files) => files.set("logic.md", Buffer.from("x")), "stray-file"],
    ["a missing file", (files) => files.delete("evidence.jsonl"), "missing-file"],
    ["no signature", (files) => files.set("signature", Buffer.from("")), "behaviour-not-signed"],
    ["a file that is too large", (files) => files.set("signature", Buffer.alloc(5000)), "too-large"],
    ["logic changed after it was signed", (files) => files.set("logic.drakon.json", Buffer.from("[]")), "changed-file"],
  ];
  test.each(cases)("a behaviour with %s is refused for this reason", (_, change, why) => {
    const files = new Map(sample());
    change(files);
    expect(readTravelling(files)).toMatchObject({ kind: "refused", why });
  });
});
