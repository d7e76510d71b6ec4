import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { requestRun } from "../request-run.ts";
import type { PlantedAgent } from "./planted-agent.ts";

/** The abilities of the scripted model and the outside tools of a process. */
export interface Scene {
  /** True once over all processes: that call fails and is retried. */
  readonly fails: () => boolean;
  /** Records an outside effect of the call with this key. */
  readonly act: (key: string) => void;
  readonly cancel: (place: RunPlace) => Promise<void>;
}

/** Runs to be killed: the agents, the owner's requests, and the expected result. */
export interface KillScenario {
  readonly name: string;
  readonly agents: readonly PlantedAgent[];
  /** The replies of the scripted model. */
  readonly script?: (scene: Scene) => Script;
  readonly outside?: (scene: Scene) => readonly RunTool[];
  /** The owner's requests, idempotent: repeated at the beginning of each process and in between. */
  readonly wishes: (garden: Garden) => Promise<void>;
  readonly answers: "when held" | "at once" | "the next day";
  /** A second process works on the same garden. Which of the two dies: the one that has the store, or the other. */
  readonly beside?: "the owner dies" | "the other dies";
  /** The expected number of runs at the end. */
  readonly runs: number;
  /** The expected proposals at the end, by path or agent. */
  readonly proposes: readonly string[];
  /** The calls and the end of its one run, computed by the pure interpreter. */
  readonly model?: { readonly calls: readonly string[]; readonly status: "completed" | "failed" };
}

export const SLUG = "archivist";
export const SCRIPTED = "claude-sonnet-4-5-20250929";
export const FIRST: RunPlace = { slug: SLUG, run: "run_2026-02-14_080000_abc123" };

export const askedFor =
  (place: RunPlace, input?: Json) =>
  async (garden: Garden): Promise<void> => {
    await requestRun(garden, {
      slug: place.slug,
      trigger: "manual",
      by: "owner",
      id: place.run,
      ...(input !== undefined && { input }),
    });
  };

/** The failure of a model that is unavailable. */
export const away = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the model is away", uk: "модель недоступна" });
