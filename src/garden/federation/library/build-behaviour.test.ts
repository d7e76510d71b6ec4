import { describe, expect, test } from "vitest";
import { fingerprint, keyPairOf } from "../../../domain/federation/ssh-key.ts";
import { evidenceText } from "../../../domain/library/evidence-record.ts";
import { travellingFiles } from "../../../domain/library/travelling-behaviour.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { behaviourDraft } from "./build-behaviour.ts";
import { checkedBehaviour, evidenceReport } from "./checked-behaviour.ts";
import { sortingAgent } from "./testing/library-ground.ts";

const shared = oneGarden();
const key = keyPairOf(Buffer.alloc(32, 1));

describe("S-9b the behaviour of an agent as it would leave", () => {
  test("recorded runs travel as decisions that follow from the diagram, without any text of the garden", async () => {
    const garden = shared();
    await sortingAgent(garden, "sorter", {
      runs: [{ wanted: true }, { wanted: true, name: "missing" }, { count: 5 }, { count: 2, wanted: false }],
    });
    const draft = await behaviourDraft(garden, { agent: "sorter" });
    const files = travellingFiles({ ...draft, name: "Sort", space: fingerprint(key.publicKey) }, key);
    const reading = checkedBehaviour(files);
    if (reading.kind !== "behaviour") throw new Error(reading.why);
    const report = evidenceReport(reading.value);
    const text = evidenceText(draft.records);
    expect({ ...report, outcomes: report.outcomes.length }).toEqual({
      outcomes: 4,
      agrees: 4,
      differs: 0,
      verdictOnly: 0,
      lies: [],
    });
    expect(["Kovalenko", "notes/", "sorter-", "# A", "missing", "run_"].filter((leak) => text.includes(leak))).toEqual(
      [],
    );
    expect(draft.records.map(({ walk }) => walk?.path.length)).toEqual(draft.records.map(() => expect.any(Number)));
  });
});
