import { z } from "zod";
import { group } from "../text/checked-yaml.ts";
import { isBareUrl } from "./bare-url.ts";

/** An address of a server, without user, password or query: secrets are in the environment. */
export const serverAddress = z.url({ protocol: /^https?$/, error: "url" }).refine(isBareUrl, "url");
export const variableName = z.string("variable").regex(/^[A-Z][A-Z0-9_]{0,99}$/, "variable");
const app = z
  .string("app")
  .regex(/^[a-z][a-z0-9-]{0,49}$/, "app")
  .default("bloom");

/** O-5, O-11: which engine decides when runs are worked on. The store is the truth with each of them. */
export const engineConfig = z
  .discriminatedUnion(
    "kind",
    [
      group({ kind: z.literal("embedded") }),
      group({
        kind: z.literal("restate"),
        /** Address of the ingress, such as http://restate:8080. */
        url: serverAddress,
        /** Address of the admin API, such as http://restate:9070. */
        admin: serverAddress,
        /** Where the server calls the workers; without it at the address of the process that registers. */
        worker_url: serverAddress.optional(),
        /** Public key of the server (`publickeyv1_…`); without it only the same machine may call. */
        identity_key: z
          .string("identity_key")
          .regex(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,60}$/, "identity_key")
          .optional(),
        token_env: variableName.optional(),
        app,
      }),
      group({
        kind: z.literal("inngest"),
        /** Address of the server, such as http://inngest:8288. */
        url: serverAddress,
        event_key_env: variableName.default("INNGEST_EVENT_KEY"),
        signing_key_env: variableName.default("INNGEST_SIGNING_KEY"),
        /** `serve`: the server calls the workers. `connect`: the workers connect to the server. */
        mode: z.enum(["serve", "connect"], "engineMode").default("serve"),
        /** `serve`: where the server calls the workers; without it at the address of the process that registers. */
        worker_url: serverAddress.optional(),
        app,
      }).refine(({ mode, worker_url }) => mode === "serve" || worker_url === undefined, {
        error: "workerUrl",
        path: ["worker_url"],
      }),
    ],
    "engine",
  )
  .default({ kind: "embedded" });

export type EngineConfig = z.infer<typeof engineConfig>;

/** The environment variables of an engine that hold secrets. */
export const engineSecrets = (engine: EngineConfig): readonly (string | undefined)[] => {
  if (engine.kind === "inngest") return [engine.event_key_env, engine.signing_key_env];
  return engine.kind === "restate" ? [engine.token_env] : [];
};
