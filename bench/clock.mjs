/** Milliseconds on the system's monotonic clock, which all processes of a machine share. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
