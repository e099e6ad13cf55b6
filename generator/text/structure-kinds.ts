/**
 * What structures of ts-morph name their kinds with. A packed mcpwright has them as constants
 * (`packaging/prepared-modules.ts`), so that structures can be made where nothing is to be printed.
 */
import library = require("ts-morph");

export import StructureKind = library.StructureKind;
