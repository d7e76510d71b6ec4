import { z } from "zod";
import { group } from "../text/checked-yaml.ts";

/** S-10: what this garden does about other gardens by itself. */
export const federationConfig = group({
  /** The gateway serves what is announced to anybody, read-only, at `/public.git`. */
  public: z.boolean("flag").default(false),
}).default({ public: false });
