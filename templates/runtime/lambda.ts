/** Serves a server as a function of AWS Lambda. */
export {
  lambdaHandlers,
  type LambdaAnswer,
  type LambdaEvent,
  type LambdaHandlers,
} from "./fetch/lambda.js";
