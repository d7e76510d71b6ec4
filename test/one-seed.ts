import fc from "fast-check";

/**
 * Properties are tried with one seed in `npm test`, so that a commit that passed passes again; `npm run soak` tries them with
 * another one in each round. A counterexample that it finds becomes a row of `examples`.
 */
fc.configureGlobal({ seed: Number(process.env.BLOOM_SEED ?? "1") });
