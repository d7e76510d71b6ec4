import { Failure } from "../../../base/failure.ts";

/** The release of the SDK that the conformance suite passes with; package.json names the same one as an optional peer. */
export const RESTATE_SDK_VERSION = "1.17.2";

/** The part of `@restatedev/restate-sdk/fetch` that the adapter uses. */
export interface RestateSdk {
  readonly object: (definition: {
    readonly name: string;
    readonly handlers: { readonly deliver: unknown };
    readonly options: {
      readonly abortTimeout: number;
      readonly inactivityTimeout: number;
      readonly idempotencyRetention: number;
      readonly journalRetention: number;
      readonly retryPolicy: Readonly<Record<string, number | string>>;
    };
  }) => unknown;
  readonly handlers: {
    readonly object: {
      exclusive(options: object, handler: (context: unknown, input: unknown) => Promise<void>): unknown;
    };
  };
  readonly createEndpointHandler: (options: {
    readonly services: readonly unknown[];
    readonly identityKeys: readonly string[];
    readonly logger: () => void;
  }) => (request: Request) => Promise<Response>;
  /** An error that the server does not retry. */
  readonly TerminalError: new (
    message: string,
  ) => Error;
}

/** A variable, because the package is optional: the compiler must not look for it. */
const SDK: string = "@restatedev/restate-sdk/fetch";

/** Loads the SDK of Restate. It is not installed with bloom: only gardens with this engine need it. */
export async function loadRestateSdk(): Promise<RestateSdk> {
  try {
    return (await import(SDK)) as RestateSdk;
  } catch (error) {
    throw new Failure("VALIDATION_FAILED", {
      en: "garden.yaml says `engine: { kind: restate }`, and the SDK of Restate is not installed",
      uk: "у garden.yaml записано `engine: { kind: restate }`, а SDK Restate не встановлено",
      hint: {
        en: `Install it beside bloom with \`npm install --global @restatedev/restate-sdk@${RESTATE_SDK_VERSION}\` (in a checkout: \`npm install -D\`), or write \`engine: { kind: embedded }\`.`,
        uk: `Встановіть його поруч із bloom командою \`npm install --global @restatedev/restate-sdk@${RESTATE_SDK_VERSION}\` (у копії репозиторію: \`npm install -D\`) або запишіть \`engine: { kind: embedded }\`.`,
      },
      details: { package: "@restatedev/restate-sdk", version: RESTATE_SDK_VERSION },
      cause: error,
    });
  }
}
