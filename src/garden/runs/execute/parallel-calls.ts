import type { CallJournal, LogicPlace } from "../../../ports/runtime.ts";

/**
 * Answers the requests of processes that run side by side in parallel. The order of the journal must not depend on which call is
 * faster: each call starts when the one before it has its position in the journal, and answers are taken in the order of the
 * requests. A branch that needs a second call (a model's reply in the wrong form) makes it when all first calls are over, one
 * branch after the other.
 */
export async function inParallel<A, T>(
  requests: readonly A[],
  work: (request: A, branch: ParallelBranch) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const begun: { readonly branch: ParallelBranch; readonly done: Promise<PromiseSettledResult<T>> }[] = [];
  for (const request of requests) {
    const branch = new ParallelBranch();
    const done = settled(work(request, branch));
    begun.push({ branch, done });
    const first = await Promise.race([branch.begun, branch.callsAgain, done]);
    // It failed before any call, and fails so in every replay: no later branch is started.
    if (first?.status === "rejected" && !branch.hasCalled) break;
  }
  await Promise.all(begun.map(({ branch, done }) => Promise.race([branch.callsAgain, done])));
  const results: PromiseSettledResult<T>[] = [];
  for (const { branch, done } of begun) {
    branch.release();
    results.push(await done);
  }
  return results;
}

const settled = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => (await Promise.allSettled([work]))[0];

/** One of the requests that are answered in parallel. */
export class ParallelBranch {
  readonly #begun = Promise.withResolvers<undefined>();
  readonly #callsAgain = Promise.withResolvers<undefined>();
  readonly #released = Promise.withResolvers<undefined>();
  #hasCalled = false;

  get hasCalled(): boolean {
    return this.#hasCalled;
  }
  /** Settles when its first call has its position in the journal. */
  get begun(): Promise<undefined> {
    return this.#begun.promise;
  }
  /** Settles when it wants a second call; that one waits for `release`. */
  get callsAgain(): Promise<undefined> {
    return this.#callsAgain.promise;
  }
  release(): void {
    this.#released.resolve(undefined);
  }

  /** A step gets its position as soon as it is asked for. */
  step<T>(ask: () => Promise<T>): Promise<T> {
    this.#hasCalled = true;
    const result = ask();
    this.#begun.resolve(undefined);
    return result;
  }

  /** A journal whose calls keep the order. A call has its position when its work begins; a recorded one returns at once. */
  journal(journal: CallJournal, place: LogicPlace): CallJournal {
    return {
      model: async (request, work) => {
        await this.#turn();
        return journal.model(
          request,
          (signal) => {
            this.#begun.resolve(undefined);
            return work(signal);
          },
          place,
        );
      },
      tool: async (tool, input) => {
        await this.#turn();
        const call: typeof tool.call = (given, facts) => {
          this.#begun.resolve(undefined);
          return tool.call(given, facts);
        };
        return journal.tool({ ...tool, call }, input, place);
      },
    };
  }

  async #turn(): Promise<void> {
    if (this.#hasCalled) {
      this.#callsAgain.resolve(undefined);
      await this.#released.promise;
    }
    this.#hasCalled = true;
  }
}
