/**
 * The values of ts-morph that the generator uses; types are imported from `ts-morph` itself. Loaded by `require`, since
 * for an import Node.js 20 first parses the whole library to find its exports, which doubles the loading time.
 */
import library = require("ts-morph");

export import ts = library.ts;
export import Project = library.Project;
export import IndentationText = library.IndentationText;
