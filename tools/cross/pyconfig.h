/* The macros with which Python's headers describe Windows on x86-64, for modules of the limited API that zig compiles. */
#ifndef PYCONFIG_OF_WINDOWS_H
#define PYCONFIG_OF_WINDOWS_H

#include <io.h>

#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define PLATFORM "win32"
#define NT_THREADS
#define WITH_THREAD

/* Functions and objects are imported from python3.dll. */
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED

#define HAVE_PY_SSIZE_T 1
typedef long long Py_ssize_t;
#define PY_SSIZE_T_MAX 0x7fffffffffffffffLL

#define STDC_HEADERS 1
#define HAVE_WCHAR_H 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_PID_T 4
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 8

#endif
