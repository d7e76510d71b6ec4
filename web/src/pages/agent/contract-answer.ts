import type { AnswerOf } from "../../api/client.ts";

/** An agent's contract file with its problems and checks, as the gateway reports it. */
export type ContractAnswer = AnswerOf<"GET /agents/:slug/contract">;
