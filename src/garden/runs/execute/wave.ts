import type { CallJournal, Place } from "../../../ports/runtime.ts";

/**
 * What processes that run side by side ask for at the same time is worked on at the same time. The journal must not depend on who is
 * quicker: each call is begun when the one before it has its place on record, and answers are taken in the order of asking. Whoever
 * needs a second call (a model whose reply had not the form) makes it when all first ones are over, one branch after the other.
 */
export async function inOneWave<A, T>(
  asked: readonly A[],
  work: (one: A, branch: Branch) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const begun: { readonly branch: Branch; readonly done: Promise<PromiseSettledResult<T>> }[] = [];
  for (const one of asked) {
    const branch = new Branch();
    const done = settled(work(one, branch));
    begun.push({ branch, done });
    const first = await Promise.race([branch.begun, branch.asksAgain, done]);
    // What failed without a call fails so in every replay: nothing after it is begun.
    if (first?.status === "rejected" && !branch.called) break;
  }
  await Promise.all(begun.map(({ branch, done }) => Promise.race([branch.asksAgain, done])));
  const results: PromiseSettledResult<T>[] = [];
  for (const { branch, done } of begun) {
    branch.goOn();
    results.push(await done);
  }
  return results;
}

const settled = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => (await Promise.allSettled([work]))[0];

/** One of the processes, while it is in a wave. */
export class Branch {
  readonly #begun = Promise.withResolvers<undefined>();
  readonly #asksAgain = Promise.withResolvers<undefined>();
  readonly #goOn = Promise.withResolvers<undefined>();
  #called = false;

  /** Whether the journal was asked for anything. */
  get called(): boolean {
    return this.#called;
  }
  /** Its first call has its place in the journal. */
  get begun(): Promise<undefined> {
    return this.#begun.promise;
  }
  get asksAgain(): Promise<undefined> {
    return this.#asksAgain.promise;
  }
  goOn(): void {
    this.#goOn.resolve(undefined);
  }

  /** A step that takes its place as soon as it is asked for. */
  step<T>(ask: () => Promise<T>): Promise<T> {
    this.#called = true;
    const asked = ask();
    this.#begun.resolve(undefined);
    return asked;
  }

  /** A journal whose calls keep to the wave. A call has its place when its work begins; one that is on record is over at once. */
  journal(journal: CallJournal, place: Place): CallJournal {
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
    if (this.#called) {
      this.#asksAgain.resolve(undefined);
      await this.#goOn.promise;
    }
    this.#called = true;
  }
}
