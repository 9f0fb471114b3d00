// Checks JSON files against a schema: that of SARIF as it is published, and ours.
//
//   node validate.mjs SCHEMA.json FILE...

import { readFileSync } from "node:fs";
import Ajv from "ajv";

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const [schema, ...files] = process.argv.slice(2);
const definition = read(schema);
// The validator does not have the dialect of 2013 by its name; nothing in the schema is written otherwise.
delete definition.$schema;
delete definition.id;
const validate = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false }).compile(definition);
for (const file of files) {
  if (!validate(read(file))) {
    console.error(file, JSON.stringify(validate.errors.slice(0, 5), null, 1));
    process.exit(1);
  }
}
console.log("ok");
