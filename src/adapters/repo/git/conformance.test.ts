import { realWorld } from "../../../base/world.ts";
import { repoConformance } from "../conformance.ts";
import { gitRepos } from "./repos.ts";
import { environment, scratch } from "./testing/scratch.ts";

repoConformance("git", () => ({ repos: gitRepos({ environment, world: realWorld }), folder: scratch }));
