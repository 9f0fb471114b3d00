// Checks files against the published schema of mutation-testing-elements.
//
//   node validate.mjs REPORT.json...

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv";

const schema = createRequire(import.meta.url)("mutation-testing-report-schema/mutation-testing-report-schema.json");
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(readFileSync(file, "utf8")))) {
    console.error(file, JSON.stringify(validate.errors.slice(0, 5), null, 1));
    process.exit(1);
  }
}
console.log("ok");
