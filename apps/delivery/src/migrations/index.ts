import { initial, noFormerFunctions } from './0100_initial';

export const migrations = [initial, noFormerFunctions];
