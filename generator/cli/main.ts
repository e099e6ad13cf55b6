#!/usr/bin/env node
import "./v8-flags.js";
import { runProcess } from "./run-process.js";

void runProcess();
