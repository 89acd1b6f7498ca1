// Validates manifests by models that are ES modules only: a list of { module, title, manifest } on standard input, the faults of each on standard output.
import { json } from 'node:stream/consumers';

const faults = [];
for (const { module, title, manifest } of await json(process.stdin)) {
  const { [manifest.kind]: Model } = await import(module);
  try {
    if (Model !== undefined) new Model(manifest).validate();
    faults.push(Model === undefined ? [`${title}: ${manifest.apiVersion} has no such kind`] : []);
  } catch (error) {
    faults.push([`${title}: ${error.message}`]);
  }
}
console.log(JSON.stringify(faults));
