#!/usr/bin/env node
import "./short-run.js";
import { runProcess } from "./run-process.js";

void runProcess();
