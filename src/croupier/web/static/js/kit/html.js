// The drawing functions of every page, from the one vendored module.
export {
  html, render, useState, useEffect, useLayoutEffect, useRef, useMemo, useContext, createContext,
} from "../../vendor/preact-htm.js";
