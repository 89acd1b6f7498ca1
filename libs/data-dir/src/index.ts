export { dataPaths, readJson, Restored, writeJson, writePrivately, type DataPaths } from './data-dir';
export { startTimeOf, takeLock } from './lock';
export { Refusal } from './refusal';
