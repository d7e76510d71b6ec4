import { Failure, isFailure } from "../base/failure.ts";
import type { Garden } from "../garden/core/garden.ts";

/**
 * the same garden, whose UPSTREAM_UNAVAILABLE failures name the part (`details.part`). Store and git throw the same failure,
 * so the caller could not tell which of them is unavailable.
 */
export const withPartNames = (garden: Garden): Garden => ({
  ...garden,
  get config() {
    return garden.config; // a copy of the value would not follow garden.yaml
  },
  store: naming(garden.store, "store"),
  repo: naming(garden.repo, "git"),
});

function naming<Port extends object>(port: Port, part: string): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.catch((error: unknown) => {
          throw isFailure(error, "UPSTREAM_UNAVAILABLE") ? named(error, part) : error;
        });
      };
    },
  });
}

const named = (failure: Failure, part: string): Failure =>
  new Failure(failure.code, {
    ...failure.text,
    ...(failure.hint && { hint: failure.hint }),
    details: { part, ...failure.details },
    outcome: failure.outcome,
    cause: failure.cause ?? failure,
  });
