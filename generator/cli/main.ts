#!/usr/bin/env node
import { runProcess } from "./run-process.js";

void runProcess();
