import type { JsonObject } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";

/** A model with an item of every kind and behaviour, written by hand, for the tests of 5-emit. */

const citySchema: JsonObject = {
  type: "string",
  minLength: 1,
  maxLength: 80,
  description: "City name",
};

const forecastInput: JsonObject = {
  type: "object",
  properties: {
    city: { $ref: "#/$defs/City" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3, description: "How far ahead" },
    units: { enum: ["metric", "imperial"] },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: { City: citySchema },
};

const forecastOutput: JsonObject = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: {
      type: "array",
      items: {
        type: "object",
        properties: { date: { type: "string", format: "date" }, high: { type: "number" } },
        required: ["date"],
      },
    },
  },
  required: ["city", "days"],
};

const getForecast: ToolModel = {
  kind: "tool",
  name: "get_forecast",
  identifier: "getForecast",
  typeName: "GetForecast",
  fileName: "get-forecast",
  aliases: ["forecast"],
  wire: {
    name: "get_forecast",
    title: "Get a forecast",
    description: "Daily forecast for one city.",
    inputSchema: forecastInput,
    outputSchema: forecastOutput,
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  input: {
    authored: {
      type: "object",
      properties: {
        ...(forecastInput["properties"] as JsonObject),
        city: { $ref: "#/schemas/City" },
      },
      required: ["city"],
      additionalProperties: false,
    },
    wire: forecastInput,
  },
  output: { authored: forecastOutput, wire: forecastOutput },
  behaviour: { kind: "handler" },
  examples: [
    {
      name: "one day in Berlin",
      arguments: { city: "Berlin", days: 1 },
      expect: {
        kind: "result",
        result: { city: "Berlin", days: [{ date: "2026-11-20", high: 7 }] },
      },
    },
    {
      name: "nowhere",
      arguments: { city: "Atlantis" },
      expect: { kind: "error", error: "No forecast for Atlantis" },
    },
  ],
};

const sayHello: ToolModel = {
  kind: "tool",
  name: "say_hello",
  identifier: "sayHello",
  typeName: "SayHello",
  fileName: "say-hello",
  wire: {
    name: "say_hello",
    description: "Greets.",
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
  },
  input: {
    authored: { type: "object", properties: { name: { type: "string" } } },
    wire: { type: "object", properties: { name: { type: "string" } } },
  },
  behaviour: {
    kind: "fixed",
    content: [
      {
        kind: "text",
        text: ["Hello", { when: "name", then: [" ", { argument: "name" }] }, "!"],
        rest: {},
      },
    ],
    isError: false,
  },
  examples: [],
};

export const weatherModel: ServerModel = {
  name: "@acme/weather",
  version: "1.2.0",
  title: "Weather",
  description: "Forecasts and alerts for any city.",
  websiteUrl: "https://weather.acme.example",
  instructions: "Ask for a city first.\nThen for the days.",
  license: "MIT",
  author: { name: "Acme" },
  repository: { type: "git", url: "git+https://github.com/acme/weather.git" },
  keywords: ["weather"],
  protocol: { legacy: "serve" },
  transports: [
    { type: "stdio" },
    {
      type: "http",
      host: "127.0.0.1",
      port: 3000,
      path: "/mcp",
      sessions: "none",
      resumable: false,
      cors: true,
      allowedHosts: [],
      allowedOrigins: [],
      trustProxy: 0,
      health: "/healthz",
    },
  ],
  env: [
    {
      name: "WEATHER_API_KEY",
      type: "string",
      description: "Key of the forecast API",
      required: true,
      secret: true,
    },
    {
      name: "WEATHER_UNITS",
      type: "string",
      required: false,
      secret: false,
      default: "metric",
      enum: ["metric", "imperial"],
    },
  ],
  sharedSchemas: [{ name: "City", typeName: "City", fileName: "city", schema: citySchema }],
  tools: [getForecast, sayHello],
  resources: [
    {
      kind: "resource",
      subscribe: false,
      name: "help",
      identifier: "help",
      typeName: "Help",
      fileName: "help",
      uri: "weather://help",
      mimeType: "text/markdown",
      wire: { uri: "weather://help", name: "help", mimeType: "text/markdown" },
      behaviour: { kind: "text", text: "# How to ask\nName a city." },
    },
    {
      kind: "resource",
      subscribe: false,
      name: "map",
      identifier: "map",
      typeName: "Map",
      fileName: "map",
      uri: "weather://map",
      wire: { uri: "weather://map", name: "map", description: "All cities" },
      behaviour: { kind: "file", path: "data/map (1).json" },
    },
    {
      kind: "resource",
      subscribe: false,
      name: "alerts",
      identifier: "alerts",
      typeName: "Alerts",
      fileName: "alerts",
      uri: "weather://alerts",
      wire: { uri: "weather://alerts", name: "alerts" },
      behaviour: { kind: "handler" },
    },
  ],
  resourceTemplates: [
    {
      kind: "resourceTemplate",
      subscribe: false,
      name: "current",
      identifier: "current",
      typeName: "Current",
      fileName: "current",
      uriTemplate: "weather://cities/{city}/current{?lang,units}",
      mimeType: "application/json",
      parts: [
        { kind: "literal", text: "weather://cities/" },
        { kind: "expression", operator: "", names: ["city"], explode: false },
        { kind: "literal", text: "/current" },
        { kind: "expression", operator: "?", names: ["lang", "units"], explode: false },
      ],
      variables: [
        { name: "city", required: true, list: false, complete: ["Berlin", "Paris", "Tokyo"] },
        { name: "lang", required: false, list: false },
        { name: "units", required: false, list: false },
      ],
      wire: {
        uriTemplate: "weather://cities/{city}/current{?lang,units}",
        name: "current",
        mimeType: "application/json",
      },
      behaviour: { kind: "handler" },
    },
  ],
  prompts: [
    {
      kind: "prompt",
      name: "plan_trip",
      identifier: "planTrip",
      typeName: "PlanTrip",
      fileName: "plan-trip",
      arguments: [
        { name: "city", required: true, description: "Where to" },
        { name: "style", required: false, complete: ["by train", "by bike"] },
      ],
      wire: {
        name: "plan_trip",
        description: "Plan a trip around the weather.",
        arguments: [{ name: "city", description: "Where to", required: true }, { name: "style" }],
      },
      behaviour: {
        kind: "messages",
        messages: [
          {
            role: "user",
            content: {
              kind: "text",
              text: [
                "Plan a trip to ",
                { argument: "city" },
                { when: "style", then: [", travelling ", { argument: "style" }] },
                { unless: "style", then: [" somehow"] },
                ".",
              ],
              rest: {},
            },
          },
        ],
      },
    },
    {
      kind: "prompt",
      name: "compare",
      identifier: "compare",
      typeName: "Compare",
      fileName: "compare",
      arguments: [],
      wire: { name: "compare", description: "Compare two cities." },
      behaviour: { kind: "handler" },
    },
  ],
};
