/* Stands in for espeak-ng where there is none, under Wine: the demonstration has it speak for the
 * player. It asks a program outside Wine, by a file with an argument a line, and gives what that
 * has written. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <windows.h>

#define FOLDER "Z:\\tmp\\place\\mouth\\"

int wmain(int count, wchar_t **arguments)
{
    char asked[MAX_PATH], begun[MAX_PATH], spoken[MAX_PATH], bytes[65536];
    size_t length;
    FILE *file;
    snprintf(begun, sizeof begun, FOLDER "%lu.begun", GetCurrentProcessId());
    snprintf(asked, sizeof asked, FOLDER "%lu.asked", GetCurrentProcessId());
    snprintf(spoken, sizeof spoken, FOLDER "%lu.wav", GetCurrentProcessId());
    if (!(file = fopen(begun, "wb")))
        return 1;
    for (int i = 1; i < count; i++) {
        WideCharToMultiByte(CP_UTF8, 0, arguments[i], -1, bytes, sizeof bytes, NULL, NULL);
        fprintf(file, "%s\n", bytes);
    }
    fclose(file);
    MoveFileA(begun, asked);
    for (int i = 0; i < 6000 && !(file = fopen(spoken, "rb")); i++)
        Sleep(5);
    if (!file)
        return 1;
    _setmode(_fileno(stdout), _O_BINARY);
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        fwrite(bytes, 1, length, stdout);
    fclose(file);
    DeleteFileA(spoken);
    return 0;
}
