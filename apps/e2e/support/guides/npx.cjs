#!/usr/bin/env node
// Stands in for npx while a guide is tested. It runs the program of a package that the guide has installed, as npx would, without starting npm,
// which took most of the time of a guide with twenty commands. The real npx runs the packed programs in `night/packages`.
const { readFileSync } = require('node:fs');
const { runMain } = require('node:module');
const { join, resolve } = require('node:path');

const [name = '', ...args] = process.argv.slice(2).filter((word, index) => index > 0 || word !== '--offline');
const folder = join('node_modules', name);
const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const [file = ''] = Object.values(bin);
process.argv = [process.execPath, resolve(folder, file), ...args];
runMain();
