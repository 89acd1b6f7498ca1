import { initial, noChunks } from './0100_initial';

export const migrations = [initial, noChunks];
