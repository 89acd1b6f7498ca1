import { runApp } from '@sheaf/runtime';
import { app } from './app';

void runApp(app);
