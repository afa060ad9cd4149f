// All lessons, in the order in which they are best read.

import { campfire } from "./campfire.js";
import { disease } from "./disease.js";
import { em } from "./em.js";
import { gaussians } from "./gaussians.js";
import { neighbours } from "./neighbours.js";
import { tennis } from "./tennis.js";
import { versionSpace } from "./version_space.js";

/** @type {Object<string, Lesson>} */
export const LESSONS = Object.fromEntries(
  [disease, tennis, versionSpace, gaussians, em, neighbours, campfire].map((lesson) => [lesson.name, lesson]));
