import { z } from "zod";
import { group } from "../text/checked-yaml.ts";

/** Git runs `ext::…` and similar URLs as programs, and takes a leading hyphen for an option. */
export const remoteUrl = z.string("remote").regex(/^(?!-)(?![A-Za-z0-9+.-]+::)[^\u0000-\u0020]+$/, "remote");

const seconds = z.int("seconds").min(1, "seconds").max(3600, "seconds");

/**
 * The repository that every machine of a garden pushes to, the authority of its history. The file is committed, so a password in
 * the address would be published: git's credential helper or an ssh key holds it.
 */
export const repoSettings = group({
  remote: remoteUrl.refine((url) => !/^[a-z]+:\/\/[^/@]*:[^/@]+@/i.test(url), "remotePassword"),
  /** Seconds between two looks at the remote without another reason. */
  fetch_seconds: seconds.default(30),
  /** Seconds after which a push or fetch without an answer is given up. */
  timeout_seconds: seconds.default(30),
}).optional();
