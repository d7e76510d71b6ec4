import { z } from "zod";
import { group } from "../text/checked-yaml.ts";

const count = z.int("count").positive("count");
const lookSeconds = z
  .int("lookSeconds")
  .max(86_400, "lookSeconds")
  .refine((seconds) => seconds === 0 || seconds >= 10, "lookSeconds");

/** S-10: what this garden does about other gardens by itself. */
export const federationConfig = group({
  /** The gateway serves what is announced to anybody, read-only, at `/public.git`. */
  public: z.boolean("flag").default(false),
  /** Seconds between two looks at a garden that is followed; 0: only when the owner looks. */
  look_seconds: lookSeconds.default(900),
  /** The most that one garden may cost here within an hour. Default 1,024 MiB, 5,000 refs that move, 60 new announcements. */
  peer_mib_per_hour: count.default(1024),
  peer_refs_per_hour: count.default(5000),
  peer_announcements_per_hour: count.default(60),
}).default({
  public: false,
  look_seconds: 900,
  peer_mib_per_hour: 1024,
  peer_refs_per_hour: 5000,
  peer_announcements_per_hour: 60,
});
