/**
 * The values of ts-morph that the generator uses; types are imported from `ts-morph` itself. Required
 * rather than imported, since for an import Node.js 20 first reads megabytes of it for the names that
 * it exports, which costs more than half of loading it.
 */
import library = require("ts-morph");

export import ts = library.ts;
export import Project = library.Project;
export import IndentationText = library.IndentationText;
