import { rateInterval } from "../../../../src/domain/logic/rate-interval.ts";
import type { BehaviourReplay } from "../../api/endpoints.gen.ts";
import type { ShownRate } from "./rate-figure.tsx";

/** The share of good ones among our recorded runs for which the replay tells the result. */
export const replayedRate = ({ good, judged }: Pick<BehaviourReplay, "good" | "judged">): ShownRate => ({
  good,
  judged,
  rate: judged === 0 ? null : good / judged,
  interval: judged === 0 ? null : rateInterval({ hits: good, of: judged }),
});
